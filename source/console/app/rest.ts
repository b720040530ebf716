/**
 * Gives memory back while no key is pressed: the start leaves a quarter of it as garbage, and so does
 * every search.
 */
import {setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';
import {realTimers, type Timers} from '../../renter/state/timers.ts';
import type {Terminal} from '../terminal/terminal.ts';

/** Time without a key after which the user is taken to rest. */
const REST_MS = 4000;
/** A repeated list leaves as much garbage as the start. */
const CHECK_EVERY_MS = 10_000;
/** Least garbage that is worth a tenth of a second. */
const LEAST_BYTES = 8_000_000;

type Heap = {readonly usedBytes: () => number; readonly collect: () => void};

/** Collects garbage at rest, until the returned function is called. */
export function tidyAtRest(
	{onInput}: Pick<Terminal, 'onInput'>,
	after: Timers['after'] = realTimers.after,
	{usedBytes, collect}: Heap = heap,
): () => void {
	let cancel = after(REST_MS, check);
	let leftBytes = 0;
	function check(): void {
		if (usedBytes() - leftBytes >= LEAST_BYTES) {
			collect();
			leftBytes = usedBytes();
		}
		cancel = after(CHECK_EVERY_MS, check);
	}
	const stop = onInput(() => {
		cancel();
		cancel = after(REST_MS, check);
	});
	return () => {
		stop();
		cancel();
	};
}

let collector: unknown;

const heap: Heap = {
	usedBytes: () => process.memoryUsage().heapUsed,
	collect() {
		if (collector === undefined) {
			setFlagsFromString('--expose-gc');
			collector = runInNewContext('gc');
		}
		// The usual collection keeps the pages that it emptied.
		const kind = {type: 'major', flavor: 'last-resort'};
		if (typeof collector === 'function') Reflect.apply(collector, undefined, [kind]);
	},
};
