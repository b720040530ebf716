/** Random sequences of what people do with instances, and of what goes wrong meanwhile. */
import * as fc from 'fast-check';
import {
	answered,
	cutReply,
	dropReply,
	dropRequest,
	html,
	hungUp,
	passOn,
} from '../services/faults.ts';
import type {Fault} from '../services/faults.ts';

/** What is done; numbers choose among what there is. */
export type Step = {
	readonly does: 'rent' | 'rent twice' | 'stop' | 'start' | 'label' | 'destroy' | 'restart';
	readonly which: number;
	readonly label: string;
	/** What happens to the request that changes something, and to the looks after it. */
	readonly fault: FaultName;
	readonly repeats: number;
	readonly lookFault: PlainFault;
	readonly badLooks: number;
};

const faults = {
	none: passOn,
	'reply dropped': dropReply,
	'request dropped': dropRequest,
	'reply cut at once': cutReply(0),
	'reply cut': cutReply(15),
	'failed before': answered({status: 503}),
	'failed after': answered({status: 500, acts: true}),
	'bad gateway after': answered({status: 502, acts: true}),
	'too many': answered({status: 429, headers: {'retry-after': '1'}}),
	'page before': html(),
	'page after': html({acts: true}),
	'empty after': answered({status: 200, body: '', acts: true}),
	'hung up': hungUp,
} as const satisfies Record<string, Fault>;

type PlainFault = keyof typeof faults;

/** `late` is carried out when all else is done; with `crash` the program ends, and another begins. */
type FaultName = PlainFault | 'late' | 'crash';

const plain = Object.keys(faults).filter(isPlain);

function isPlain(name: string): name is PlainFault {
	return name in faults;
}

export function faultBy(name: PlainFault): Fault {
	return faults[name];
}

export const steps = fc.array(
	fc.record<Step>({
		// Without instances, nothing else comes to anything.
		does: fc.constantFrom(
			'rent',
			'rent',
			'rent twice',
			'stop',
			'start',
			'label',
			'destroy',
			'restart',
		),
		which: fc.nat({max: 3}),
		label: fc.constantFrom('', 'a', 'b', 'trainer'),
		fault: fc.constantFrom<FaultName[]>(...plain, 'late', 'crash'),
		repeats: fc.integer({min: 1, max: 3}),
		lookFault: fc.constantFrom(...plain),
		badLooks: fc.constantFrom(0, 0, 0, 0, 1, 2, 3, 1000),
	}),
	{minLength: 1, maxLength: 5},
);
