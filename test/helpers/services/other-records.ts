/** A service whose instances are not as ordered. */
import {isRecord} from '../../../source/contract/grammar/json.ts';
import type {FaultProxy} from './fault-proxy.ts';
import type {Fault} from './faults.ts';

/** Instances are passed on with other fields than they have. */
export function recordsWith(fields: Readonly<Record<string, unknown>>): Fault {
	return async ({forward, response}) => {
		const {status, headers, body} = await forward();
		const {date = ''} = headers;
		const reply: unknown = JSON.parse(body.toString('utf8'));
		// The time is that of the service, which tests move.
		response.writeHead(status, {'content-type': 'application/json', date: String(date)});
		response.end(JSON.stringify(isRecord(reply) ? changed(reply, fields) : reply));
	};
}

function changed(reply: Readonly<Record<string, unknown>>, fields: object) {
	const {instances} = reply;
	const change = (record: unknown) => (isRecord(record) ? {...record, ...fields} : record);
	const others = Array.isArray(instances) ? instances.map(change) : change(instances);
	return {...reply, instances: others};
}

/** Has every record of an instance say something else, alone and in lists. */
export function misdeliver(proxy: FaultProxy, fields: Readonly<Record<string, unknown>>): void {
	proxy.next({method: 'GET', path: /^\/api\/v[01]\/instances\//}, recordsWith(fields), 1000);
}
