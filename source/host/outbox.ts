/** Reports to send, kept until the market has them. */
import type {Report} from '../contract/nouns/host-work.ts';

export type Outbox = {
	readonly add: (report: Report) => void;
	/** Takes out at most so many reports, in order for each instance. */
	readonly take: (most: number) => readonly Report[];
	/** Puts back what was taken and could not be sent: it is older than all that came since. */
	readonly putBack: (reports: readonly Report[]) => void;
	/** Fulfils when there is something to take, or when the signal fires. */
	readonly wait: (signal: AbortSignal) => Promise<void>;
};

export function createOutbox(): Outbox {
	const pending = new Map<number, readonly Report[]>();
	let filled = Promise.withResolvers<void>();

	return {
		add(report) {
			const fitting = fit(report);
			const {instance_id: id} = fitting;
			pending.set(id, addReport(pending.get(id) ?? [], fitting));
			filled.resolve();
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

/**
 * Adds a report to those of its instance. It joins the last one where no change of status would be
 * lost by that: of progress, of usage and of traffic only the latest counts.
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

/** A report as the contract allows it, whatever text a runtime came across. */
function fit(report: Report): Report {
	if (typeof report.status_msg !== 'string') return report;
	return {
		...report,
		status_msg: plainText(report.status_msg).slice(0, LONGEST_MESSAGE).toWellFormed(),
	};
}

/** Text without what the wire does not carry. */
export function plainText(text: string): string {
	return text.replaceAll('\0', '').toWellFormed();
}
