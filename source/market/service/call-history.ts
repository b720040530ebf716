/** Records calls in the account's history. */
import type {HonoRequest} from 'hono';
import {responseStatusOf} from '../http/answers.ts';
import {isChange} from '../accounts/history.ts';
import type {EndpointRoute} from './forms.ts';
import type {MarketServices} from './services.ts';
import type {ApiKey} from '../base/api-key.ts';

type Asked = {
	readonly form: EndpointRoute;
	readonly req: HonoRequest;
	readonly caller: ApiKey | undefined;
	readonly address: string;
};

const TOO_MANY_REQUESTS = 429;

/** Answers a call, and records a change, or an attempted one, in the account's history. */
export async function answerWithHistory(
	{form, req, caller, address}: Asked,
	{clock, history}: MarketServices,
	answer: (keep: (sent: SentFields) => void) => Promise<Response>,
): Promise<Response> {
	if (caller === undefined) return answer(() => undefined);
	history.see(caller.accountId, address);
	if (!isChange(form.endpoint)) return answer(() => undefined);
	const at = clock.now();
	const {api_key: _, ...query} = req.query();
	let sent: SentFields = {};
	const note = (status: number) => {
		// A call refused by the rate limit is no attempt at a change; the key may retry.
		if (status === TOO_MANY_REQUESTS) return;
		history.note({
			caller,
			at,
			address,
			route: routeOf(form, req),
			sent: {...query, ...sent},
			status,
		});
	};
	try {
		const response = await answer(body => (sent = body));
		note(response.status);
		return response;
	} catch (error) {
		note(responseStatusOf(error));
		throw error;
	}
}

export type SentFields = Readonly<Record<string, unknown>>;

/** Method and path of a call, without the value of a token, which is a secret. */
function routeOf({method, path}: EndpointRoute, request: HonoRequest): string {
	const named = path.replaceAll(/:(\w+)/g, (word, name: string) =>
		name === 'token' ? word : encodeURIComponent(request.param(name) ?? '').slice(0, 64),
	);
	return `${method} ${named}/`;
}
