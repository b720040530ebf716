/** Log entry of a call, for whoever runs the market: it holds no secret. */
export type CallEntry = {
	readonly method: string;
	/** Without the query, which may hold a key; and without words that open something by themselves. */
	readonly path: string;
	readonly status: number;
	readonly ms: number;
};

export type OnCall = (entry: CallEntry) => void;

type Fetch<Rest extends readonly unknown[]> = (
	request: Request,
	...rest: Rest
) => Response | Promise<Response>;

/** Answers like `fetch`, and tells of it. */
export function watched<Rest extends readonly unknown[]>(
	fetch: Fetch<Rest>,
	onCall: OnCall | undefined,
): Fetch<Rest> {
	if (onCall === undefined) return fetch;
	return async (request, ...rest) => {
		const startedAt = performance.now();
		const response = await fetch(request, ...rest);
		const {method, url} = request;
		const ms = Math.round((performance.now() - startedAt) * 10) / 10;
		onCall({method, path: shownPath(url), status: response.status, ms});
		return response;
	};
}

/** The addresses of results are known to those alone who were told: they have long words in them. */
function shownPath(url: string): string {
	return new URL(url).pathname.replaceAll(/[\w-]{24,}/g, '…');
}
