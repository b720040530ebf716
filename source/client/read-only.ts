import {isReading, type Endpoint} from '../contract/endpoint.ts';
import {RequestError} from './errors.ts';
import {attemptOf} from './attempt.ts';

/** Lets only those calls pass that change nothing. */
export function refuseChange(endpoint: Endpoint): void {
	if (isReading(endpoint)) return;
	throw new RequestError(attemptOf(endpoint), 'this profile is read-only', {
		money: 'Nothing was sent',
	});
}
