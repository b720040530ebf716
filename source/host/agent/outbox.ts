/** Reports to send, kept until the market has them. */
import type {Report} from '../../contract/nouns/host-work.ts';
import {messageOf, statusOf} from '../../contract/rules/thrown.ts';
import type {Client} from '../../client/client.ts';
import {isRefused, isKeyRefusedForGood, persist, type RetryTools} from '../base/retry.ts';
import {pause} from '../base/scheduler.ts';

type Outbox = {
	readonly add: (report: Report) => void;
	/** Takes out at most so many reports, in order for each instance. */
	readonly take: (most: number) => readonly Report[];
	/** Puts unsent reports back in front: they are older than all others. */
	readonly putBack: (reports: readonly Report[]) => void;
	/** Fulfils when there are reports, or when the signal fires. */
	readonly wait: (signal: AbortSignal) => Promise<void>;
	/** Calls back at once, or as soon as somebody waits for one of the reports. */
	readonly onUrgent: (callback: () => void) => void;
};

export function createOutbox(): Outbox {
	const pending = new Map<number, readonly Report[]>();
	let filled = Promise.withResolvers<void>();
	let hurry: (() => void) | undefined;
	const hasUrgent = () => [...pending.values()].some(reports => reports.some(isUrgent));

	return {
		onUrgent(callback) {
			hurry = callback;
			if (hasUrgent()) callback();
		},
		add(report) {
			const fitting = fit(report);
			const {instance_id: id} = fitting;
			pending.set(id, addReport(pending.get(id) ?? [], fitting));
			filled.resolve();
			if (isUrgent(fitting)) hurry?.();
		},
		take(most) {
			const taken: Report[] = [];
			for (const [id, reports] of pending) {
				if (taken.length >= most) return taken;
				const now = reports.slice(0, most - taken.length);
				taken.push(...now);
				if (now.length === reports.length) pending.delete(id);
				else pending.set(id, reports.slice(now.length));
			}
			if (pending.size === 0) filled = Promise.withResolvers<void>();
			return taken;
		},
		putBack(reports) {
			for (const [id, older] of Map.groupBy(reports, report => report.instance_id)) {
				const newer = pending.get(id) ?? [];
				pending.set(id, [...older, ...newer].reduce(addReport, []));
			}
			if (pending.size > 0) filled.resolve();
		},
		async wait(signal) {
			const aborted = Promise.withResolvers<void>();
			const wake = () => aborted.resolve();
			signal.addEventListener('abort', wake);
			if (!signal.aborted) await Promise.race([filled.promise, aborted.promise]);
			signal.removeEventListener('abort', wake);
		},
	};
}

/** True for the end of a start or of a run: the renter waits for it, or pays meanwhile. */
function isUrgent({status}: Report): boolean {
	return status !== undefined && status !== 'loading';
}

/**
 * Adds a report to the instance's others. Progress, usage and traffic replace those of the last
 * report; a change of status is never merged away.
 */
export function addReport(pending: readonly Report[], report: Report): readonly Report[] {
	const last = pending.at(-1);
	if (last === undefined || !canJoin(last, report)) return [...pending, report];
	return [...pending.slice(0, -1), {...last, ...report}];
}

function canJoin(last: Report, next: Report): boolean {
	if (last.boot !== next.boot) return false;
	return next.status === undefined || last.status === undefined || next.status === last.status;
}

/** The most characters of a message, as the contract has it. */
const LONGEST_MESSAGE = 1024;

/** A report cut to the limits of the contract, whatever text a runtime put in. */
function fit(report: Report): Report {
	if (typeof report.status_msg !== 'string') return report;
	return {
		...report,
		status_msg: plainText(report.status_msg).slice(0, LONGEST_MESSAGE).toWellFormed(),
	};
}

/** Text without characters that the contract refuses. */
export function plainText(text: string): string {
	return text.replaceAll('\0', '').toWellFormed();
}

const REPORTS_AT_ONCE = 1000;

/** Debounce time of reports that nobody waits for. */
const GATHERING_SECONDS = 0.25;

type Reporting = {
	readonly calls: Pick<Client['hosts'], 'report'>;
	readonly outbox: Outbox;
	/** Called with ids of instances that the market does not know. */
	readonly onGone: (instanceIds: readonly number[]) => void;
	readonly log: (line: string) => void;
};

/** Sends reports as they come, until the signal fires. */
export async function keepReporting(reporting: Reporting, patience: RetryTools): Promise<void> {
	const {scheduler, signal} = patience;
	while (!signal.aborted) {
		await reporting.outbox.wait(signal);
		if (signal.aborted) return;
		const hurry = new AbortController();
		const goOn = () => hurry.abort();
		signal.addEventListener('abort', goOn);
		reporting.outbox.onUrgent(goOn);
		await pause(scheduler, GATHERING_SECONDS, hurry.signal);
		signal.removeEventListener('abort', goOn);
		if (signal.aborted) return;
		await persist(async () => reportBatch(reporting, signal), isRefused, patience);
	}
}

export async function reportRest(reporting: Reporting, signal: AbortSignal): Promise<void> {
	while ((await reportBatch(reporting, signal)) > 0);
}

/** Statuses that one wrong report has, or too many at once. */
const ofParts: ReadonlySet<number | undefined> = new Set([400, 413, 422]);

/**
 * Sends a batch and returns its size. Unsent reports stay queued. Of a batch that the market refuses
 * each half is sent alone, so that no more is lost than what is refused alone.
 */
async function reportBatch(
	{calls, outbox, onGone, log}: Reporting,
	signal: AbortSignal,
): Promise<number> {
	const batch = outbox.take(REPORTS_AT_ONCE);
	const parts = batch.length === 0 ? [] : [batch];
	for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
		try {
			onGone(await calls.report(part, {signal}));
		} catch (error) {
			if (!isRefused(error) || isKeyRefusedForGood(error)) {
				outbox.putBack([part, ...parts].flat());
				throw error;
			}
			if (ofParts.has(statusOf(error)) && part.length > 1) parts.unshift(...halvesOf(part));
			else log(`${messageOf(error)}. What was reported of ${namesOf(part)} is lost.`);
		}
	}
	return batch.length;
}

function halvesOf(reports: readonly Report[]): ReadonlyArray<readonly Report[]> {
	const middle = Math.ceil(reports.length / 2);
	return [reports.slice(0, middle), reports.slice(middle)];
}

function namesOf(reports: readonly Report[]): string {
	const ids = [...new Set(reports.map(({instance_id: id}) => id))];
	return ids.length === 1 ? `instance ${ids.join()}` : `${ids.length} instances`;
}
