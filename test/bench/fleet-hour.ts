/** An hour of the console with a list of many instances, on a clock that is moved by hand. */
import {PassThrough, Writable} from 'node:stream';
import {setImmediate} from 'node:timers/promises';
import {setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';
import {openClient} from '../../source/client/client.ts';
import {defaultSettings} from '../../source/renter/settings/default-settings.ts';
import type {Timers} from '../../source/renter/state/timers.ts';
import {createSettingsStore} from '../helpers/settings-store.ts';
import {openConsole} from '../../source/console/app/open.tsx';
import {openTerminal} from '../../source/console/terminal/terminal.ts';
import {createTheme} from '../../source/console/ui/theme.ts';

const MINUTE_MS = 60_000;

/** What a minute and an hour leave in memory, in MB, and how many bytes an hour writes. */
export async function measureHour(url: string) {
	const clock = createHandClock();
	const stdout = new CountedOutput();
	const stdin = Object.assign(new PassThrough(), {isRaw: false, setRawMode: () => undefined});
	const client = openClient({url, key: 'k', paceScale: 0});
	let asked = 0;
	const screen = openConsole({
		terminal: openTerminal({stdin, stdout, stop: () => undefined, now: () => 0}),
		service: {name: 'bench', isPractice: false},
		client: async () => ({
			...client,
			instances: {
				...client.instances,
				async list(options) {
					asked += 1;
					return clock.during(client.instances.list(options));
				},
			},
		}),
		settings: createSettingsStore(defaultSettings),
		theme: wishes => createTheme({LANG: 'C'}, wishes),
		environment: {LANG: 'C'},
		run: async () => ({kind: 'ended', code: 0}),
		fillTmux: async () => undefined,
		now: () => new Date(clock.now()),
		after: clock.after,
		start: {name: 'instances'},
	});
	// A key now and then, as whoever sits there has it: nobody looks as often for those who are away.
	const live = async (minutes: number) => {
		for (let minute = 0; minute < minutes; minute++) {
			stdin.write(minute % 2 === 0 ? 'j' : 'k');
			await clock.pass(MINUTE_MS);
		}
	};
	await live(1);
	const afterMinute = heapMb();
	const bytes = stdout.bytes;
	await live(59);
	const figures = {afterMinute, afterHour: heapMb(), asked, bytes: stdout.bytes - bytes};
	screen.leave();
	await client.close();
	return figures;
}

class CountedOutput extends Writable {
	readonly columns = 140;
	readonly rows = 40;
	bytes = 0;

	override _write(data: Buffer, _encoding: BufferEncoding, done: () => void): void {
		this.bytes += data.length;
		done();
	}
}

function heapMb(): number {
	setFlagsFromString('--expose-gc');
	runInNewContext('gc()');
	return process.memoryUsage().heapUsed / 1e6;
}

/** Time that passes as fast as what is due is done. */
function createHandClock() {
	let now = 1_795_000_000_000;
	const open = new Set<symbol>();
	const plans = new Set<{readonly at: number; readonly run: () => void}>();
	const after: Timers['after'] = (ms, run) => {
		const plan = {at: now + ms, run};
		plans.add(plan);
		return () => plans.delete(plan);
	};
	const settle = async () => {
		do await setImmediate();
		while (open.size > 0);
	};
	return {
		now: () => now,
		after,
		/** Lets no time pass until what this gives is ended. */
		async during<Value>(work: Promise<Value>): Promise<Value> {
			const name = Symbol('work');
			open.add(name);
			return work.finally(() => open.delete(name));
		},
		async pass(ms: number): Promise<void> {
			const until = now + ms;
			for (;;) {
				await settle();
				const [next] = [...plans].filter(({at}) => at <= until).toSorted((a, b) => a.at - b.at);
				if (next === undefined) break;
				plans.delete(next);
				now = Math.max(now, next.at);
				next.run();
			}
			now = until;
		},
	};
}
