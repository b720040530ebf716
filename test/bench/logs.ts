/** Measures what following long logs takes: reading on, breaking lines, searching, and a key. */
import {createStore} from '../../source/renter/state/store.ts';
import {
	countHits,
	MOST_KEPT_LINES,
	readLogLines,
} from '../../source/console/screens/instances/logs/log-lines.ts';
import {
	logsAt,
	rowsInView,
	scroll,
	takeLines,
	toHit,
	type LogState,
} from '../../source/console/screens/instances/logs/log-state.ts';
import {newLineEdit} from '../../source/console/ui/line-edit.ts';
import {quantile} from './session.ts';

const room = {width: 140, height: 32};
const READS = 30;
const WORDS = 'loss 0.5';

/** What a program that trains logs, from one line on; one line in ten is broken. */
function written(from: number, count: number): string {
	return Array.from({length: count}, (_, at) => {
		const step = from + at;
		const more = step % 10 === 0 ? ` checkpoint ${'.'.repeat(150)}` : '';
		return `12:41:07 step ${step} loss 0.${(step * 7919) % 10_000} lr 2.1e-4 tok/s 48211${more}\n`;
	}).join('');
}

function time(run: () => void): number {
	const startedAt = performance.now();
	run();
	return performance.now() - startedAt;
}

export function measureLogs(row: (name: string, ...cells: ReadonlyArray<string | number>) => void) {
	const logs = createStore<LogState>(logsAt({destination: {name: 'instances'}}).get());
	const take = (text: string) =>
		logs.set(takeLines(logs.get(), readLogLines(text), {room, now: 0}).state);
	take(written(0, MOST_KEPT_LINES));
	logs.set({...logs.get(), isWrapped: true, find: newLineEdit(WORDS)});
	const show = () => {
		rowsInView(logs.get(), room);
		countHits(logs.get().lines, WORDS);
	};
	const first = time(show);
	// Every read has again most of what the one before it had.
	const reads = Array.from({length: READS}, (_, read) =>
		time(() => {
			take(written(MOST_KEPT_LINES + (read - 4) * 100, 500));
			show();
		}),
	);
	const keys = Array.from({length: READS * 10}, (_, key) =>
		time(() => {
			logs.set(scroll(logs.get(), room, key % 2 === 0 ? -20 : 5));
			show();
		}),
	);
	const hits = Array.from({length: READS}, () =>
		time(() => logs.set(toHit(logs.get(), room, 1) ?? logs.get())),
	);
	console.log(
		`\nLogs of ${MOST_KEPT_LINES.toLocaleString('en-US')} lines, broken to fit and searched`,
	);
	row('', 'p50 ms', 'worst ms');
	row('the first time', first, first);
	row('a read with 100 new lines', quantile(reads, 0.5), quantile(reads, 1));
	row('a key that scrolls', quantile(keys, 0.5), quantile(keys, 1));
	row('the next line that was found', quantile(hits, 0.5), quantile(hits, 1));
}
