import {expect, test} from 'vitest';
import {ApiError} from '../../../source/client/exchange/errors.ts';
import {formatFirstError} from '../../../source/console/list/unreadable.ts';

const sentences = {404: 'This service has no such list.'};
const refused = (code: string, serverSays: string) =>
	new ApiError('list what there is', {status: 404, code, serverSays});

test.each<readonly [name: string, errors: ReadonlyArray<Error | null>, said: RegExp]>([
	['without an error nothing', [null, null], /^$/],
	[
		'its own sentence for a status',
		[null, refused('not_found', 'no')],
		/^This service has no such/,
	],
	[
		'that the key is refused, whatever its status',
		[refused('auth_error', 'Invalid user key')],
		/key/,
	],
	['the error itself else', [new Error('The connection broke')], /^The connection broke\.$/],
])('why a list could not be read: %s', (_, errors, said) => {
	expect(formatFirstError(errors, sentences)).toMatch(said);
});
