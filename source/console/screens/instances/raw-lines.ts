/** All that a service sent of an instance, without the secrets in it. */
import type {Instance} from '../../../contract/nouns/instance-record.ts';
import {printable} from '../../../renter/text/text-width.ts';
import {shownRequest, shownValue} from '../../../renter/orders/request-text.ts';

const secretName = /(?:token|key|password|secret)$/i;

export function rawLines(instance: Instance): readonly string[] {
	const variables = instance.extra_env ?? undefined;
	const shown = Object.entries({
		...shownRequest(instance),
		...(variables !== undefined && {
			extra_env: variables.map(([name, value]) => [name, shownValue(name, value)]),
		}),
	}).map(([name, value]) => [
		name,
		secretName.test(name) && typeof value === 'string' ? '***' : value,
	]);
	return JSON.stringify(Object.fromEntries(shown), undefined, 2).split('\n').map(printable);
}
