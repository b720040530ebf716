/** The subcommands of `rentty mcp`: serving, limits, approvals and the log. */
import {resolve} from 'node:path';
import {CapError, readCap} from '../../contract/grammar/caps.ts';
import {UsageError} from '../../renter/text/usage-error.ts';
import {PRACTICE} from '../../renter/profiles/profile.ts';
import {readNumberOption, refuseArguments, type Context} from '../base/command.ts';
import {exitCodes} from '../base/failure.ts';
import {openApprovals} from '../../renter/agents/approvals.ts';
import {readCalls, type AgentCall} from '../../renter/agents/call-log.ts';
import {findLimits, guardLine, keepLimits, limitLines, type AgentLimits} from './limits.ts';
import {writeRows, type PrintedColumn} from '../base/output.ts';

export async function runSubcommand(context: Context): Promise<number> {
	const [subcommand = 'serve', words, ...others] = context.words;
	if (others.length > 0) throw new UsageError('rentty mcp takes limits in one word: quote them.');
	switch (subcommand) {
		case 'limits': {
			if (words !== undefined) await setLimits(context, words);
			return showLimits(context);
		}
		case 'serve':
		case 'approve':
		case 'log':
			refuseArguments(`mcp ${subcommand}`, {...context, words: words === undefined ? [] : [words]});
			if (subcommand === 'serve') return serve(context);
			return subcommand === 'log' ? showLog(context) : approve(context);
		default:
			throw new UsageError(`rentty mcp takes serve, limits, approve or log, not ${subcommand}.`);
	}
}

/** Serves with the service of the command line, else with that of the limits. */
async function serve(context: Context): Promise<number> {
	const given = context.serviceWords;
	const {profile} = findLimits(context.folders);
	const chosen = context.serviceOf(given.length > 0 ? given : [`--profile=${profile}`]);
	const port = readNumberOption(context, 'http', {least: 0, isWhole: true});
	if (port !== undefined && port > 65_535) throw new UsageError('--http takes a port up to 65535.');
	// Opened by the first call: a client of the protocol waits for the tools at its own start.
	let opened: ReturnType<typeof chosen.open> | undefined;
	const client = async () => {
		opened ??= chosen.open();
		return (await opened).client;
	};
	try {
		const serving = {...context, service: () => chosen, client, changer: client};
		if (port === undefined) await (await import('./server.ts')).serveAgents(serving);
		else await (await import('./http.ts')).serveAgentsOverHttp(serving, port);
	} finally {
		await (await opened?.catch(() => undefined))?.close();
	}
	return exitCodes.fine;
}

async function showLimits(context: Context): Promise<number> {
	const {folders, output, isJson} = context;
	const found = findLimits(folders);
	if (isJson) output.json(found);
	else for (const line of limitLines(found)) output.line(line);
	const guard = found.limits === undefined ? undefined : await findGuard(context, found.profile);
	if (guard !== undefined && !isJson) output.line(guard);
	return found.problem === undefined ? exitCodes.fine : exitCodes.failed;
}

/** Line about the limits that the service itself sets on a profile's key; undefined if it cannot be asked. */
async function findGuard(context: Context, profile: string): Promise<string | undefined> {
	// Nothing costs money there, and nothing is opened for a line.
	if (profile === PRACTICE) return undefined;
	try {
		const {client, close} = await context.serviceOf([`--profile=${profile}`]).open();
		try {
			return guardLine(await client.account.current({signal: context.signal}));
		} finally {
			await close();
		}
	} catch {
		// The limits are shown whether or not the service answers.
		return undefined;
	}
}

async function setLimits(context: Context, words: string): Promise<void> {
	const {problem, file: _, ...before} = findLimits(context.folders);
	if (problem !== undefined && words !== 'none') throw new UsageError(problem);
	const profile = context.textOf('profile') ?? before.profile;
	// A missing profile is refused now, not when an agent calls.
	context.serviceOf([`--profile=${profile}`]);
	const named = profile === PRACTICE ? {} : {profile};
	const next: AgentLimits = words === 'none' ? named : {...named, ...readOptions(context, words)};
	await keepLimits(context.folders, next);
}

function readOptions(context: Context, words: string): AgentLimits {
	const each = readNumberOption(context, 'each', {least: 0.001});
	const images = context
		.textOf('images')
		?.split(',')
		.map(name => name.trim())
		.filter(name => name !== '');
	const folder = context.textOf('files');
	const isAlways = context.textOf('ask') === 'always';
	const from = isAlways ? undefined : readNumberOption(context, 'ask', {least: 0.001});
	const approval = isAlways ? 'always' : from;
	return {
		limits: readLimits(words),
		...(each !== undefined && {each}),
		...(images !== undefined && images.length > 0 && {images}),
		...(folder !== undefined && {files: resolve(folder)}),
		...(approval !== undefined && {approve: approval}),
	};
}

/** @throws UsageError */
function readLimits(words: string) {
	try {
		return readCap(words);
	} catch (error) {
		if (error instanceof CapError) throw new UsageError(error.message);
		throw error;
	}
}

/** Asks about each rent that waits; no answer is no. */
async function approve({folders, output, now, signal}: Context): Promise<number> {
	const approvals = openApprovals(folders.state);
	const waiting = approvals.waiting(now() / 1000);
	if (waiting.length === 0) output.say('rentty: No rent waits for you.');
	if (waiting.length > 0 && output.ask === undefined) {
		throw new UsageError('There is no terminal to ask on. Nothing was approved.');
	}
	for (const {id, agent, words} of waiting) {
		output.say(`${agent} wants to rent:`);
		for (const line of words) output.say(`  ${line}`);
		// oxlint-disable-next-line no-await-in-loop -- one question at a time
		const typed = await output.ask?.('Allow it? [y/N] ', signal);
		const answer = ['y', 'yes'].includes((typed ?? '').trim().toLowerCase()) ? 'yes' : 'no';
		// oxlint-disable-next-line no-await-in-loop -- one question at a time
		const isAnswered = await approvals.answer(id, answer, now() / 1000);
		const isLate = answer === 'yes' && !isAnswered;
		const late = 'not allowed: it was answered elsewhere, or its five minutes are over';
		output.line(isLate ? late : answer === 'yes' ? 'allowed' : 'not allowed');
	}
	return exitCodes.fine;
}

function showLog(context: Context): number {
	const {folders, output, isJson} = context;
	const most = readNumberOption(context, 'limit', {least: 1, isWhole: true}) ?? 50;
	const calls = readCalls(folders.state).slice(0, most);
	if (isJson) for (const call of calls) output.json(call);
	else if (calls.length > 0) writeRows(output, columns, calls);
	else output.say('rentty: No agent has called anything yet.');
	return exitCodes.fine;
}

const columns: ReadonlyArray<PrintedColumn<AgentCall>> = [
	{title: 'WHEN', cell: ({at}) => at.slice(0, 16).replace('T', ' ')},
	{title: 'AGENT', cell: ({agent}) => agent},
	{title: 'TOOL', cell: ({tool}) => tool},
	{title: 'OUTCOME', cell: ({outcome}) => outcome},
	{title: 'SAYS', cell: ({says}) => says},
];
