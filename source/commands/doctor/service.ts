/** Checks of the service: reachable, the key's permissions, the clocks. */
import {ApiError} from '../../client/exchange/errors.ts';
import type {Client} from '../../client/client.ts';
import {UsageError} from '../../renter/text/usage-error.ts';
import {isRegistered} from '../../renter/connect/keys.ts';
import {clockSkewText, clockSkewSeconds} from '../../renter/profiles/exchanges.ts';
import type {Unreadable} from '../../contract/grammar/unreadable.ts';
import {unreadableLines, unreadableCountText} from '../../renter/text/unreadable.ts';
import type {Context} from '../base/command.ts';
import {exitCodeOf, failureMessage, type ExitCode} from '../base/failure.ts';

/** Difference of the clocks, in seconds, beyond which times and ages mislead. */
const FAR_SECONDS = 60;

export async function checkService(context: Context): Promise<readonly DoctorFinding[]> {
	const chosen = choose(context);
	if (!('name' in chosen)) return [chosen];
	const {name, url, isReadOnly} = chosen;
	const where = url === undefined ? 'the practice market of this machine' : `${name}, ${url}`;
	const mode = isReadOnly ? ', read-only' : '';
	const service: DoctorFinding = {about: 'service', verdict: 'ok', says: where + mode};
	try {
		const client = await context.client();
		const [answer, ...others] = await Promise.all([
			checkAnswer(context, client),
			checkRight(context, 'instances', async signal => {
				const {instances, unreadable} = await client.instances.list({signal});
				return {amount: instances.length, unreadable};
			}),
			checkRight(context, 'templates', async signal => {
				const {templates, unreadable} = await client.templates.search({}, {signal});
				return {amount: templates.length, unreadable};
			}),
			checkKeys(context, client),
			checkClock(context, url),
		]);
		return [service, answer, ...others];
	} catch (error) {
		context.signal.throwIfAborted();
		return [service, wrong('key', error)];
	}
}

function choose({service}: Context) {
	try {
		return service();
	} catch (error) {
		if (error instanceof UsageError) return wrong('service', error);
		throw error;
	}
}

function wrong(about: string, error: unknown): DoctorFinding {
	const exitCode = exitCodeOf(error);
	return {about, verdict: 'wrong', says: failureMessage(error), advice: adviceFor(error), exitCode};
}

function adviceFor(error: unknown): string | undefined {
	if (error instanceof ApiError && error.isKeyRefused) {
		return 'Give it another key: --key-file, RENTTY_API_KEY or a profile (6 in the console). What runs is not affected, and goes on being charged';
	}
	if (error instanceof UsageError || error instanceof ApiError) return undefined;
	return 'Look at its address, at the network, and at HTTPS_PROXY where there is a proxy';
}

/** Finding on one search: whether the service answers, and how quickly. */
async function checkAnswer({signal}: Context, client: Client): Promise<DoctorFinding> {
	const startedAt = performance.now();
	try {
		const {unreadable} = await client.offers.search({limit: 1}, {signal});
		const ms = Math.round(performance.now() - startedAt);
		const says = `answers in ${ms} ms${unreadable.of === 0 ? ', and has no offers' : ''}`;
		return {about: 'answer', verdict: 'ok', says};
	} catch (error) {
		signal.throwIfAborted();
		return wrong('answer', error);
	}
}

type Listed = {readonly amount: number; readonly unreadable: Unreadable};

/**
 * Finding about unreadable records of a list, each by its position; undefined if all are readable.
 */
function unreadFinding(
	about: string,
	says: string,
	unreadable: Unreadable,
): DoctorFinding | undefined {
	const unread = unreadableCountText(unreadable);
	if (unread === undefined) return undefined;
	const named = unreadableLines(unreadable);
	const which = unreadable.count > named.length ? `The first ${named.length}` : 'They';
	const advice = `The service may speak another version of its API. ${which} are ${named.join(', ')}`;
	return {about, verdict: 'note', says: `${says}; ${unread}`, advice};
}

async function checkRight(
	{signal}: Context,
	about: string,
	read: (signal: AbortSignal) => Promise<Listed>,
): Promise<DoctorFinding> {
	try {
		const {amount, unreadable} = await read(signal);
		const says = `the key may list them: ${amount}`;
		return unreadFinding(about, says, unreadable) ?? {about, verdict: 'ok', says};
	} catch (error) {
		signal.throwIfAborted();
		const isForbidden = error instanceof ApiError && error.status === 403 && !error.isKeyRefused;
		if (!isForbidden) return wrong(about, error);
		return {about, verdict: 'note', says: 'the key may not list them; all else works'};
	}
}

async function checkKeys({signal}: Context, client: Client): Promise<DoctorFinding> {
	const about = 'ssh keys';
	try {
		const {keys, unreadable} = await client.sshKeys.list({signal});
		const {length} = keys.filter(isRegistered);
		const says = `${length} registered`;
		const unread = unreadFinding(about, says, unreadable);
		if (unread !== undefined) return unread;
		if (length > 0) return {about, verdict: 'ok', says};
		const advice = 'rentty keys add ~/.ssh/id_ed25519.pub registers one';
		return {about, verdict: 'note', says: 'none is registered, so nobody can enter by SSH', advice};
	} catch (error) {
		signal.throwIfAborted();
		return {about, verdict: 'note', says: failureMessage(error)};
	}
}

/** Every reply is dated, a refusal too. */
async function checkClock({now, signal}: Context, url: string | undefined): Promise<DoctorFinding> {
	const about = 'clock';
	if (url === undefined) return {about, verdict: 'ok', says: 'the same as that of the service'};
	try {
		const ahead = await clockSkewSeconds(url, now, signal);
		if (ahead === undefined)
			return {about, verdict: 'note', says: 'the service does not say its time'};
		const says = clockSkewText(ahead);
		if (Math.abs(ahead) <= FAR_SECONDS) return {about, verdict: 'ok', says};
		const advice =
			'Set the clock of this machine: times of day are off by that much. Ages and costs follow the service';
		return {about, verdict: 'wrong', says, advice};
	} catch {
		signal.throwIfAborted();
		return {about, verdict: 'note', says: 'not compared: no answer without a proxy'};
	}
}

/** Fine, a hint, or a problem. */
export type DoctorFinding = {
	readonly about: string;
	readonly verdict: 'ok' | 'note' | 'wrong';
	readonly says: string;
	readonly advice?: string | undefined;
	/** @default 1, where it is wrong */
	readonly exitCode?: ExitCode | undefined;
};
