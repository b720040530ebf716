/** Instances of a service that accepts starts at once, and shows the state of before for a while. */
import * as z from 'zod/mini';

type Fields = Readonly<Record<string, unknown>>;

/** A change of one instance: the act in its path, and the body. */
export type Sent = {readonly act: string | undefined; readonly body: string};

type Options = {
	readonly seconds: number;
	/** Somebody else cuts the end of every label. */
	readonly editsLabels: boolean;
	/** Seconds since 1970 on the service's clock. */
	readonly now: () => number;
};

const labelled = z.object({label: z.string()});

export function createLag({seconds, editsLabels, now}: Options) {
	const runsFrom = new Map<unknown, number>();

	function started(record: Fields): Fields {
		runsFrom.set(record['id'], now() + seconds);
		return {...record, ...statesOf('running'), actual_status: 'running'};
	}

	return {
		/** The record after a change. */
		act(record: Fields, {act, body}: Sent): Fields {
			if (act !== undefined || body.includes('"running"')) return started(record);
			const {data} = labelled.safeParse(JSON.parse(body));
			if (data !== undefined) {
				return {...record, label: editsLabels ? data.label.slice(0, -4) : data.label};
			}
			if (!body.includes('"stopped"')) return record;
			return {...record, ...statesOf('stopped'), actual_status: 'exited'};
		},
		shown(record: Fields): Fields {
			const isLate = (runsFrom.get(record['id']) ?? 0) > now();
			return isLate ? {...record, actual_status: 'exited'} : record;
		},
	};
}

function statesOf(state: string): Fields {
	return {intended_status: state, cur_state: state, next_state: state};
}
