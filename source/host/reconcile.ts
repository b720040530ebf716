/** What must be done so that an instance becomes what is wanted of it. */
import type {Work} from '../contract/host-work.ts';
import type {Held} from './runtime.ts';

export type Step = 'start' | 'stop' | 'remove';

export type Wanted = Pick<Work, 'wanted' | 'boot' | 'container'>;

/** The next step from what there is to what is wanted; undefined where they agree. */
export function nextStep(
	{wanted, boot, container}: Wanted,
	held: Held | undefined,
): Step | undefined {
	if (held === undefined) return wanted === 'running' ? 'start' : undefined;
	// A container that is to be made anew goes at once: one that stands still never comes back.
	if (wanted === 'gone' || held.container !== container) return 'remove';
	if (wanted === 'stopped') return held.isStarted ? 'stop' : undefined;
	if (!held.isStarted) return 'start';
	return held.boot === boot ? undefined : 'stop';
}

/** What there is after a step. */
export function afterStep(
	step: Step,
	{wanted, boot, container}: Wanted,
	held: Held | undefined,
): Held | undefined {
	if (step === 'start') return {boot, container, isStarted: true};
	if (held === undefined || (step === 'remove' && wanted === 'gone')) return undefined;
	// What is removed to be made anew leaves its key.
	return step === 'stop' ? {...held, isStarted: false} : {...held, container, isStarted: false};
}
