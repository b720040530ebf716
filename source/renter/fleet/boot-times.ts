/** Boot times as they were seen: by image, and by host for new images. */
import type {Instance} from '../../contract/nouns/instance-record.ts';
import type {Observation} from '../instance/observations.ts';

/** Milliseconds of the last boots by what they have in common: `image NAME` or `host ID`. */
export type BootTimes = Readonly<Record<string, readonly number[]>>;

/** Enough for a median that follows what changes. */
const MOST_BOOTS = 9;

/** Notes a boot that was watched from its beginning to the moment when it ran. */
export function noteBoot(
	times: BootTimes,
	instance: Instance,
	before: Observation | undefined,
	after: Observation,
): BootTimes {
	const loading = before?.phases.find(({status}) => status === 'loading');
	const running = after.phases.at(-1);
	const isFirst = before !== undefined && !before.hasRun && after.hasRun;
	if (!isFirst || running?.status !== 'running' || loading === undefined) return times;
	const took = Math.max(0, running.since - loading.since);
	const noted = {...times};
	for (const name of namesOf(instance)) {
		noted[name] = [...(times[name] ?? []), took].slice(-MOST_BOOTS);
	}
	return noted;
}

/** Usual loading time: of this image, else on this host; undefined if none was seen. */
export function usualLoading(times: BootTimes, instance: Instance): number | undefined {
	for (const name of namesOf(instance)) {
		const found = median(times[name] ?? []);
		if (found !== undefined) return found;
	}
	return undefined;
}

function namesOf({image_uuid: image, host_id: host}: Instance): readonly string[] {
	const byImage = typeof image === 'string' && image !== '' ? [`image ${image}`] : [];
	return typeof host === 'number' ? [...byImage, `host ${host}`] : byImage;
}

/** The middle one, or the mean of the two in the middle. */
export function median(values: readonly number[]): number | undefined {
	const ordered = values.toSorted((a, b) => a - b);
	const middle = ordered.length / 2;
	const [low, high] = [ordered[Math.ceil(middle) - 1], ordered[Math.floor(middle)]];
	return low === undefined || high === undefined ? undefined : (low + high) / 2;
}
