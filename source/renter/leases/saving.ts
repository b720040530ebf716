/** Saving results before an end: tried once, and once more after the grace where it fails. */
import type {Instance} from '../../contract/nouns/instance-record.ts';
import type {Saved} from './inside.ts';
import type {Before} from '../words/lease.ts';

type Attempt = 1 | 2;

export type SavingOptions = {
	readonly steady: () => number;
	readonly save: (
		instance: Instance,
		before: Before & {readonly attempt: Attempt},
	) => Promise<Saved>;
};

export type SavingStep =
	/** The end waits; what is new since the last step is told. */
	| {readonly kind: 'wait'; readonly news: string | undefined}
	/** It may end now. */
	| {readonly kind: 'end'; readonly says: string | undefined};

type Progress = {
	readonly attempt: Attempt;
	readonly startedAt: number;
	/** Undefined while it runs. */
	saved: Saved | undefined;
	failedAt: number | undefined;
};

export function createSaving({steady, save}: SavingOptions) {
	const all = new Map<number, Progress>();

	function start(instance: Instance, before: Before, attempt: Attempt): void {
		const progress: Progress = {
			attempt,
			startedAt: steady(),
			saved: undefined,
			failedAt: undefined,
		};
		all.set(instance.id, progress);
		void save(instance, {...before, attempt}).then(
			saved => (progress.saved = saved),
			() => (progress.saved = 'failed'),
		);
	}

	/** True while another process may still be saving, within its limit. */
	function isStillRunning({saved, startedAt}: Progress, {limitSeconds}: Before): boolean {
		return saved === 'running' && steady() - startedAt < limitSeconds * 1000;
	}

	return {
		/** Goes on with it; called at every look at which the instance is to end. */
		step(instance: Instance, before: Before | undefined): SavingStep {
			const isRunning = instance.actual_status === 'running';
			if (before?.command === undefined || !isRunning) return {kind: 'end', says: undefined};
			const progress = all.get(instance.id);
			if (progress === undefined) {
				start(instance, before, 1);
				return {kind: 'wait', news: undefined};
			}
			const {saved, attempt} = progress;
			if (saved === undefined) return {kind: 'wait', news: undefined};
			if (saved === 'saved') return {kind: 'end', says: 'results saved'};
			if (isStillRunning(progress, before)) {
				// Looked at once more, since somebody else runs it.
				const {startedAt} = progress;
				start(instance, before, attempt);
				all.set(instance.id, {...(all.get(instance.id) ?? progress), startedAt});
				return {kind: 'wait', news: undefined};
			}
			if (attempt === 2) return {kind: 'end', says: 'results not saved in two tries'};
			if (progress.failedAt === undefined) {
				progress.failedAt = steady();
				const news = `saving results failed, so it ends ${before.graceSeconds} s later`;
				return {kind: 'wait', news};
			}
			if (steady() - progress.failedAt >= before.graceSeconds * 1000) start(instance, before, 2);
			return {kind: 'wait', news: undefined};
		},
		forget: (id: number): void => void all.delete(id),
	};
}
