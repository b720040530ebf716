/** Time and chance of the whole process, taken over for whoever runs in a world. */
import {chanceOf, type Chance} from '../world/chance.ts';
import {current, steadyClock, wallClock, world} from '../world/world.ts';
import {clear, setImmediate, setInterval, setTimeout} from './timers.ts';

const RealDate = Date;

class WorldDate extends RealDate {
	constructor(...values: readonly unknown[]) {
		// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the constructor has too many forms to name
		super(...((values.length === 0 ? [WorldDate.now()] : values) as [number]));
	}

	static override now(): number {
		return Math.floor(wallClock(current()?.machine));
	}
}

function timeoutSignal(ms: number): AbortSignal {
	const controller = new AbortController();
	setTimeout(() => {
		const message = 'The operation was aborted due to timeout';
		controller.abort(new DOMException(message, 'TimeoutError'));
	}, ms);
	return controller.signal;
}

/** As Node's own, which would keep the signals of ended processes, and with them their world. */
function anySignal(signals: Iterable<AbortSignal>): AbortSignal {
	const controller = new AbortController();
	for (const signal of signals) {
		if (signal.aborted) controller.abort(signal.reason);
		else signal.addEventListener('abort', () => controller.abort(signal.reason), {once: true});
	}
	return controller.signal;
}

/** Chance of what modules draw as they are read, and of what no process draws. */
let outside: Chance = chanceOf(0, 'outside');

const chanceHere = () => current()?.chance ?? outside;

export const randomBytes = (length: number) => chanceHere().bytes(length);

export function randomUuid(): ReturnType<typeof crypto.randomUUID> {
	const hex = randomBytes(16).toString('hex');
	const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(13, 16), hex.slice(17, 20)] as const;
	return `${parts[0]}-${parts[1]}-4${parts[2]}-8${parts[3]}-${hex.slice(20)}`;
}

/** Ends with the process: a world has no other. */
export function takeOverGlobals(): void {
	outside = world().chance('outside');
	const performance = {
		now: () => steadyClock(current()),
		get timeOrigin() {
			return wallClock(current()?.machine) - steadyClock(current());
		},
		mark: () => undefined,
		measure: () => undefined,
	};
	Object.assign(globalThis, {Date: WorldDate, setTimeout, setInterval, setImmediate});
	for (const name of ['clearTimeout', 'clearInterval', 'clearImmediate']) {
		Object.assign(globalThis, {[name]: clear});
	}
	Object.defineProperty(globalThis, 'performance', {value: performance, configurable: true});
	AbortSignal.timeout = timeoutSignal;
	AbortSignal.any = anySignal;
	Math.random = () => chanceHere().next();
	crypto.randomUUID = randomUuid;
	crypto.getRandomValues = array => {
		if (ArrayBuffer.isView(array)) {
			new Uint8Array(array.buffer, array.byteOffset, array.byteLength).set(
				randomBytes(array.byteLength),
			);
		}
		return array;
	};
	Atomics.wait = () => 'timed-out';
}
