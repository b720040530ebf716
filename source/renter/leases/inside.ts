/** Scripts that run inside an instance over SSH: POSIX sh, given on standard input. */
import type {Instance} from '../../contract/nouns/instance-record.ts';
import type {Before} from '../words/lease.ts';
import type {InsideMeasurements} from './sightings.ts';

/**
 * Runs a script in an instance; undefined if it cannot be entered, or the script takes too long.
 */
export type RunInside = (
	instance: Instance,
	script: string,
	limitMs: number,
) => Promise<string | undefined>;

const PATIENCE_MS = 20_000;

/** Bytes since the instance's network was created, and OpenSSH sessions beside our own. */
const measuring = `n=$(($(sed -n '/ lo/d;s/.*:/+/p' /proc/net/dev|tr -s ' \\n' +)0))
s=$(grep -ls '^sshd.*@' /proc/[0-9]*/cmdline|wc -l);[ $s -gt 0 ]&&s=$((s-1));echo bytes=$n sessions=$s
`;

/** Traffic of the network and logged-in users; undefined if the instance cannot be entered. */
export async function measureInside(
	run: RunInside,
	instance: Instance,
): Promise<InsideMeasurements | undefined> {
	const output = await run(instance, measuring, PATIENCE_MS);
	const found = /^bytes=(\d{1,18}) sessions=(\d{1,6})$/m.exec(output ?? '');
	if (found === null) return undefined;
	const bytes = Number(found[1]);
	// Zero bytes mean that traffic was not measured.
	return {networkBytes: bytes > 0 ? bytes : undefined, sshSessions: Number(found[2])};
}

export function quoted(word: string): string {
	return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

type Saved = 'saved' | 'failed' | 'running';

/**
 * Runs the command before the end, unless another enforcer has: the one that creates the folder of
 * the attempt runs it, the others read its outcome there.
 */
export async function saveInside(
	run: RunInside,
	instance: Instance,
	{command = '', limitSeconds, attempt}: Before & {readonly attempt: Attempt},
): Promise<Saved> {
	const script = `cd "\${HOME:-/root}"&&mkdir -p .rentty&&cd .rentty||exit
B=${quoted(command)}
mkdir b${attempt} 2>/dev/null&&{ (cd ..;$(command -v timeout&&echo ${limitSeconds}) sh -c "$B") </dev/null >/dev/null 2>&1;echo $?>b${attempt}/r;}
[ -f b${attempt}/r ]&&echo "code=$(cat b${attempt}/r)"||echo running
`;
	const output = await run(instance, script, limitSeconds * 1000 + PATIENCE_MS);
	const code = /^code=(\d{1,3})$/m.exec(output ?? '')?.[1];
	if (code !== undefined) return code === '0' ? 'saved' : 'failed';
	return /^running$/m.test(output ?? '') ? 'running' : 'failed';
}

/**
 * Mark of a watchdog: the lease that it enforces, and the time of the service's last reply to it.
 */
export type WatchdogState = {
	readonly key: string;
	/** Seconds since that reply; undefined if there was none. */
	readonly reachedSeconds: number | undefined;
	/** True if the instance has no program that can call the service. */
	readonly lacksClient: boolean;
};

const reading = `cd "\${HOME:-/root}/.rentty"||exit
sed -n 's/.*#/key=/p' s;[ -f r ]&&echo reached=$(($(date +%s)-$(date -r r +%s)))
{ type curl||type python3||wget --help|grep -e--method;}>/dev/null 2>&1||echo no client
`;

/** Mark of a watchdog; undefined if the instance cannot be entered, or has none. */
export async function readWatchdogState(
	run: RunInside,
	instance: Instance,
): Promise<WatchdogState | undefined> {
	return readState(await run(instance, reading, PATIENCE_MS));
}

/**
 * Changes the watchdog's terms, and waits up to half a minute until its state shows them. Results
 * saved by the command before the end are saved again.
 */
export async function changeWatchdog(
	run: RunInside,
	instance: Instance,
	{terms, key}: {readonly terms: string; readonly key: string},
): Promise<WatchdogState | undefined> {
	const script = `cd "\${HOME:-/root}/.rentty"||exit
rm -rf b?;printf '%s\\n' ${quoted(terms)}>n.;mv n. n;i=0
until grep -q ${quoted(`#${key}`)} s||[ $i -ge 30 ];do sleep 1;i=$((i+1));done
i=0;until [ -f r ]||[ $i -ge 5 ];do sleep 1;i=$((i+1));done
${reading}`;
	return readState(await run(instance, script, 2 * PATIENCE_MS));
}

function readState(text = ''): WatchdogState | undefined {
	const key = /^key=(\w{1,20})$/m.exec(text)?.[1];
	const reached = /^reached=(\d{1,12})$/m.exec(text)?.[1];
	const reachedSeconds = reached === undefined ? undefined : Number(reached);
	return key === undefined
		? undefined
		: {key, reachedSeconds, lacksClient: /^no client$/m.test(text)};
}

type Attempt = 1 | 2;

type SavingStep =
	/** The end waits; `news` is for the log. */
	| {readonly kind: 'wait'; readonly news: string | undefined}
	/** The instance may end now. */
	| {readonly kind: 'end'; readonly result: string | undefined};

type Progress = {
	readonly attempt: Attempt;
	readonly startedAt: number;
	/** Undefined while the command runs. */
	saved: Saved | undefined;
	failedAt: number | undefined;
};

/**
 * Saves results before an end, and once more after the grace period if that fails.
 *
 * @param run undefined if instances cannot be entered: then no results are saved
 */
export function createSaving(steady: () => number, run: RunInside | undefined) {
	const all = new Map<number, Progress>();

	function start(instance: Instance, before: Before, attempt: Attempt): void {
		const progress: Progress = {
			attempt,
			startedAt: steady(),
			saved: undefined,
			failedAt: undefined,
		};
		all.set(instance.id, progress);
		const saving = run && saveInside(run, instance, {...before, attempt});
		void Promise.resolve<Saved>(saving ?? 'failed').then(
			saved => (progress.saved = saved),
			() => (progress.saved = 'failed'),
		);
	}

	/** True while another process may still be saving, within its limit. */
	function isStillRunning({saved, startedAt}: Progress, {limitSeconds}: Before): boolean {
		return saved === 'running' && steady() - startedAt < limitSeconds * 1000;
	}

	return {
		/** Takes the next step; called at every poll at which the instance is due to end. */
		step(instance: Instance, before: Before | undefined): SavingStep {
			const isRunning = instance.actual_status === 'running';
			if (before?.command === undefined || !isRunning) return {kind: 'end', result: undefined};
			const progress = all.get(instance.id);
			if (progress === undefined) {
				start(instance, before, 1);
				return {kind: 'wait', news: undefined};
			}
			const {saved, attempt} = progress;
			if (saved === undefined) return {kind: 'wait', news: undefined};
			if (saved === 'saved') return {kind: 'end', result: 'results saved'};
			if (isStillRunning(progress, before)) {
				// Another enforcer runs the command: its outcome is read at the next poll.
				const {startedAt} = progress;
				start(instance, before, attempt);
				all.set(instance.id, {...(all.get(instance.id) ?? progress), startedAt});
				return {kind: 'wait', news: undefined};
			}
			if (attempt === 2) return {kind: 'end', result: 'results not saved in two tries'};
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
