/** Entering an instance: the route that answers, the program, and the page with the commands. */
import {messageOf} from '../../../contract/rules/thrown.ts';
import type {SshKeys, AttachedKeys} from '../../../client/nouns/keys.ts';
import {
	shellText,
	sshCommand,
	sshRoutes,
	sshText,
	type Forward,
	type SshRoute,
	rsyncCommand,
	scpCommand,
} from '../../../contract/nouns/ssh-command.ts';
import {isRegistered} from '../../../renter/connect/keys.ts';
import {type OutsideCommand, type Ended, tmuxWindow} from '../../services/outside-program.ts';
import type {Measurements} from '../../../renter/connect/measuring.ts';
import type {FleetRow} from '../../../renter/fleet/fleet-state.ts';
import type {Message} from '../../ui/message.ts';
import type {Services} from '../../services/services.tsx';
import {instanceNameOf} from './words.ts';
import {spread} from '../../ui/chrome.ts';
import {fit, printable} from '../../../renter/text/text-width.ts';
import {brokenAt} from '../../ui/notice.tsx';
import {usageSummary} from './instance-pages.ts';
import {suggestedForwards} from '../../../renter/connect/ports.ts';

export type ConnectTools = Pick<Services, 'client' | 'settings'> &
	Pick<Services['terminal'], 'environment' | 'copy' | 'aside'> &
	Pick<Services['renting'], 'ssh'> & {readonly say: (message: Message) => void};

export function connectTools(services: Services, say: ConnectTools['say']) {
	return {...services, ...services.terminal, ...services.renting, say};
}

/** The routes into an instance, answering ones first, and of these shorter ones first. */
export function waysIn(
	{instance}: Pick<FleetRow, 'instance'>,
	measured: Measurements,
): readonly SshRoute[] {
	const known = measured.get(instance.id) ?? [];
	const hasAnswered = ({kind, host, port}: SshRoute) =>
		known.some(
			way => way.kind === kind && way.host === host && way.port === port && way.ms !== undefined,
		);
	// Two routes to the same address are one.
	const routes = sshRoutes(instance).filter(
		({host, port}, at, all) => all.findIndex(way => way.host === host && way.port === port) === at,
	);
	return [...routes.filter(hasAnswered), ...routes.filter(route => !hasAnswered(route))];
}

/** Reason why an instance cannot be entered; undefined if it can. */
export function noWayInto({
	instance,
	condition,
}: Pick<FleetRow, 'instance' | 'condition'>): string | undefined {
	if (condition === 'gone') return 'it is gone';
	if (instance.actual_status !== 'running') return 'it does not run';
	return sshRoutes(instance).length === 0 ? 'no usable SSH port is named' : undefined;
}

type EnterOptions = {
	readonly forwards?: readonly Forward[];
	/** Called if the instance accepts no key. */
	readonly onLocked?: () => void;
};

/** Runs SSH in this terminal or beside it, as the user's settings say; with ports, these are forwarded. */
export async function enterInstance(
	tools: ConnectTools,
	row: FleetRow,
	{forwards = [], onLocked}: EnterOptions = {},
): Promise<void> {
	const {ssh, settings, say, copy} = tools;
	const [route] = waysIn(row, ssh.measured.get());
	if (route === undefined) return;
	if (settings.get().ssh === 'print')
		return copy(sshText(route, forwards, ssh.identities.files.get()));
	say({
		text: `Entering ${instanceNameOf(row.instance)}. Who is let in is being asked.`,
		isError: false,
	});
	const signal = AbortSignal.timeout(PATIENCE_MS);
	const [locked, identities] = await Promise.all([
		whyLocked(tools, row.instance.id, signal),
		ssh.identities.findFor(row.instance.id, signal),
	]);
	if (locked !== undefined) {
		say({text: locked, isError: true});
		return onLocked?.();
	}
	try {
		await ssh.prepare();
	} catch (error) {
		return say({
			text: `The folder for known hosts cannot be made: ${messageOf(error)}`,
			isError: true,
		});
	}
	const known = ssh.known(row.instance.id, route.kind);
	await runBeside(tools, row, sshCommand(route, {known, forwards, identities}));
}

/** Runs SSH in a window of tmux where that is wanted, else in this terminal. */
async function runBeside(
	{settings, say, environment, aside}: ConnectTools,
	row: FleetRow,
	command: Pick<OutsideCommand, 'program' | 'args'>,
): Promise<void> {
	const isInTmux = (environment['TMUX'] ?? '') !== '';
	if (settings.get().ssh === 'tmuxWindow' && isInTmux) {
		const ended = await aside(tmuxWindow(instanceNameOf(row.instance), command));
		const isOpen = ended.kind === 'ended' && ended.code === 0;
		const text = isOpen ? 'SSH is in a window of tmux.' : `No window: ${howEnded('tmux', ended)}`;
		return say({text, isError: !isOpen});
	}
	const ended = await aside(asideFor(row, command, isInTmux));
	say(backFrom(row, ended));
}

function asideFor(
	{instance}: FleetRow,
	command: Pick<OutsideCommand, 'program' | 'args'>,
	isInTmux: boolean,
): OutsideCommand {
	const twice = 'You are in tmux: its prefix twice (Ctrl-B Ctrl-B) reaches a tmux of the instance.';
	return {
		...command,
		intro: [
			`rentty steps aside for ${instanceNameOf(instance)}. exit or Ctrl-D comes back.`,
			...(isInTmux ? [twice] : []),
			`$ ${shellText(command)}`,
		],
		isRead: hasFailed,
	};
}

/** ssh's own exit status for a failed connection; others come from the last command. */
const OWN_FAILURE = 255;

function hasFailed(ended: Ended): boolean {
	return ended.kind !== 'ended' || ended.code === OWN_FAILURE;
}

function backFrom({instance}: FleetRow, ended: Ended): Message {
	const name = instanceNameOf(instance);
	if (!hasFailed(ended)) {
		return {text: `Back from ${name}. It goes on, and is charged.`, isError: false};
	}
	if (ended.kind === 'ended') {
		const text = `SSH to ${name} ended with ${OWN_FAILURE}: not let in, or cut off. It is charged.`;
		return {text, isError: true};
	}
	return {text: `Not entered: ${howEnded('ssh', ended)} y copies the command.`, isError: true};
}

function howEnded(program: string, ended: Ended): string {
	switch (ended.kind) {
		case 'ended':
			return `${program} ended with ${ended.code}.`;
		case 'killed':
			return `${program} was stopped by ${ended.signal}.`;
		case 'notStarted':
			return `${program} was not started, for ${ended.reason}.`;
	}
}

const PATIENCE_MS = 2500;

/** True if there is a key, readable or not. */
export function hasAny({keys, unreadable}: SshKeys | AttachedKeys): boolean {
	return unreadable.count > 0 || keys.some(isRegistered);
}

/** Reason why SSH would refuse every key; undefined if it would not, or where that is unknown. */
async function whyLocked(
	{client}: Pick<ConnectTools, 'client'>,
	id: number,
	signal: AbortSignal,
): Promise<string | undefined> {
	try {
		const {instances, sshKeys} = await client();
		if (hasAny(await instances.sshKeys(id, {signal}))) return undefined;
		return !hasAny(await sshKeys.list({signal}))
			? 'Not entered: no SSH key is registered. Choose one to let in.'
			: 'Not entered: it was rented before a key was registered. Choose one to let in.';
	} catch {
		// The API key may lack this right. SSH itself will say whether it is let in.
		return undefined;
	}
}

export type ConnectView = {
	readonly measured: Measurements;
	/** The instance's name in OpenSSH's configuration. */
	readonly sshName: string;
	readonly isInTmux: boolean;
	/** Private keys passed to OpenSSH. */
	readonly identities: readonly string[];
};

const MOST_KEY_LINES = 2;

/** The key that the service showed only once, wrapped; none if it is not known here. */
export function ownKeyLines(ownKey: string | undefined, width: number): readonly string[] {
	if (ownKey === undefined) return [];
	const said = `its key: ${printable(ownKey)}`;
	// A longer key is shown whole on a page of its own.
	return brokenAt(said, width - 1)
		.slice(0, MOST_KEY_LINES)
		.map(line => ` ${line}`);
}

export function connectLines(row: FleetRow, view: ConnectView, width: number): readonly string[] {
	const ways = waysIn(row, view.measured);
	const [first] = ways;
	if (first === undefined || noWayInto(row) !== undefined) return wayLines(row, view, width);
	const keys = [
		['s', 'enter it here: rentty steps aside, and comes back when you leave'],
		['y', ways.length > 1 ? `copy the ${first.kind} command; again for the other` : 'copy it'],
		['f', `forward ports   ${suggestedForwards(row.instance)}`],
		[
			't',
			`transfer        ${shellText(scpCommand(first, {...upload, identities: view.identities}))}`,
		],
		['a', `more: a name for ssh, scp and editors, "${view.sshName}"`],
	];
	return [
		...wayLines(row, view, width),
		'',
		...keys.map(([key, does]) => fit(` ${key}  ${does}`, width)),
		'',
		...usageSummary(row, width),
	];
}

/** The routes into an instance, a line each; or the reason why there is none. */
export function wayLines(row: FleetRow, view: ConnectView, width: number): readonly string[] {
	const reason = noWayInto(row);
	if (reason !== undefined) {
		return [
			fit(` It cannot be entered: ${reason}.`, width),
			fit(' m alerts you when it changes.', width),
		];
	}
	const twice = ' You are in tmux: its prefix twice (Ctrl-B Ctrl-B) reaches one of the instance.';
	return [
		...waysIn(row, view.measured).map(way =>
			spread(width, ` ${sshText(way, [], view.identities)}`, `${answer(way, row, view.measured)} `),
		),
		...(view.isInTmux ? [fit(twice, width)] : []),
	];
}

const upload = {isUpload: true, local: './data', remote: '/workspace/'};
const download = {isUpload: false, local: './out', remote: '/workspace/out'};

/** Commands that copy files to and from the instance; none if it cannot be entered. */
export function transferLines(row: FleetRow, view: ConnectView, width: number): readonly string[] {
	const {identities} = view;
	const [first] = waysIn(row, view.measured);
	if (first === undefined || noWayInto(row) !== undefined) return [];
	return [
		fit(` up    ${shellText(scpCommand(first, {...upload, identities}))}`, width),
		fit(` down  ${shellText(rsyncCommand(first, {...download, identities}))}`, width),
	];
}

/** A route's last measurement: untried, silent, or its time to answer. */
function answer(way: SshRoute, {instance: {id}}: FleetRow, measured: Measurements): string {
	const known = measured
		.get(id)
		?.find(({kind, host, port}) => kind === way.kind && host === way.host && port === way.port);
	if (known === undefined) return `${way.kind}, not tried yet`;
	if (known.ms === undefined) return `${way.kind}, does not answer`;
	return `${way.kind}, answers in ${Math.max(1, Math.round(known.ms))}ms`;
}
