import type {IncomingMessage, ServerResponse} from 'node:http';
import {contract} from '../../../source/contract/index.ts';
import {openApi} from '../../../source/contract/openapi.ts';
import {filler, FIRST, recordOf} from './harmful-records.ts';
import type {Json} from './harmful-records.ts';
import {harmfulText, textsOfAll} from './harmful-text.ts';
import {openToldService} from './told-service.ts';

export type HarmfulServiceOptions = {
	/** Whether every call is refused, with harmful reasons. */
	readonly isRefusing?: boolean;
	/** How long lists are. @default as many as all harmful characters need */
	readonly length?: number;
};

/**
 * A service that answers every call of the contract, in every text of every record something else
 * that is harmful. What is no text is such that records are looked at closely.
 */
export async function openHarmfulService(options: HarmfulServiceOptions = {}) {
	const {isRefusing = false, length = textsOfAll} = options;
	const replyTo = openReplies(length);
	return openToldService((request, response) => {
		request.resume();
		const {url = '/'} = request;
		if (url === '/log') {
			response.end(Array.from({length}, (_, line) => harmfulText(line)).join('\n'));
			return;
		}
		// Its time is that of whoever asks, which tests move.
		response.sendDate = false;
		response.setHeader('content-type', 'application/json');
		if (isRefusing) refuse(url, response);
		else response.end(JSON.stringify(replyTo(request)));
	});
}

function refuse({length}: string, response: ServerResponse): void {
	response.statusCode = length % 2 === 0 ? 400 : 403;
	const said = {error: harmfulText(length), msg: harmfulText(length + 1)};
	response.end(JSON.stringify({success: false, ...said}));
}

/** What is answered to a request, by the schemas of the contract. */
function openReplies(length: number) {
	const routes = Object.entries(recordOf(openApi(contract)['paths'])).map(([path, methods]) => ({
		pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, String.raw`(\d+)`)}?$`),
		methods: recordOf(methods),
	}));
	return ({method = 'GET', url = '/', headers}: IncomingMessage): unknown => {
		const [path = '/'] = url.split('?');
		const route = routes.find(({pattern}) => pattern.test(path));
		// One record is asked for by its number, in the path or as the only one of a list.
		const inPath = route?.pattern.exec(path)?.[1];
		const inQuery = /"id":\{"eq":(\d+)\}/.exec(decodeURIComponent(url))?.[1];
		const fill = filler(inQuery === undefined ? length : 1, `http://${headers.host}/log`);
		const at = Number(inPath ?? inQuery ?? FIRST) - FIRST;
		return fill(replyOf(recordOf(route?.methods[method.toLowerCase()])), {name: '', at, depth: 0});
	};
}

/** The schema of what an operation answers where all is well. */
function replyOf(operation: Json): Json {
	const {content} = recordOf(recordOf(operation['responses'])['200']);
	return recordOf(recordOf(recordOf(content)['application/json'])['schema']);
}
