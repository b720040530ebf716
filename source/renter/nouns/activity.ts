/**
 * Activity as one list: changes made by rentty, changes that it observed, and calls of agents. Pure
 * rules.
 */
import {stateSigns} from '../instance/state-signs.ts';
import {shownLabel} from '../words/lease.ts';
import type {Approval} from '../agents/approvals.ts';
import type {AgentCall} from '../agents/call-log.ts';
import type {JournalEntry, JournalOutcome} from '../../client/journal/journal.ts';
import type {InstanceCondition} from '../instance/condition.ts';
import type {FleetEvent} from '../fleet/fleet-state.ts';
import {printable} from '../text/text-width.ts';

export type Activity = {
	readonly id: number;
	/** Milliseconds since 1970. */
	readonly at: number;
	/** Action or observation: "destroy", "seen". */
	readonly what: string;
	/** Subject of the action: "7 train-a". */
	readonly subject: string;
	/** Dollars, if something was paid or promised. */
	readonly price: number | undefined;
	readonly result: string;
	readonly isTrouble: boolean;
	readonly source:
		| {readonly kind: 'change'; readonly entry: JournalEntry}
		| {readonly kind: 'seen'; readonly event: FleetEvent}
		| {readonly kind: 'call'; readonly call: AgentCall}
		| {readonly kind: 'waiting'; readonly approval: Approval};
};

type Sources = {
	readonly entries: readonly JournalEntry[];
	readonly events: readonly FleetEvent[];
	readonly calls: readonly AgentCall[];
	readonly waiting: readonly Approval[];
};

/** The newest first, after requests that wait for an answer. */
export function activityOf({entries, events, calls, waiting}: Sources): readonly Activity[] {
	const past = [...entries.map(changed), ...events.map(seen), ...calls.map(called)];
	return [...waiting.map(waits), ...past.toSorted((a, b) => b.at - a.at)];
}

const actionTexts: Readonly<Record<string, string>> = {
	'instances.create': 'rent',
	'instances.createMany': 'rent several',
	'instances.launch': 'rent the first',
	'instances.change': 'change',
	'instances.changeMany': 'change several',
	'instances.startMany': 'start several',
	'instances.destroy': 'destroy',
	'instances.destroyMany': 'destroy several',
	'instances.setLease': 'set an end',
	'instances.removeLease': 'take the end away',
	'instances.reboot': 'reboot',
	'instances.recycle': 'recycle',
	'instances.rebuild': 'rebuild',
	'instances.execute': 'run a command',
	'instances.attachSshKey': 'let a key in',
	'instances.detachSshKey': 'let a key out',
	'instances.changeBid': 'change a bid',
	'instances.prepay': 'pay ahead',
	'instances.acceptPriceIncrease': 'accept a price',
	'instances.rejectPriceIncrease': 'reject a price',
	'sshKeys.create': 'register SSH key',
	'sshKeys.delete': 'delete SSH key',
	'apiKeys.create': 'create API key',
	'apiKeys.delete': 'delete API key',
	'templates.create': 'create template',
	'templates.edit': 'edit template',
	'templates.delete': 'delete template',
	'volumes.create': 'create volume',
	'volumes.copy': 'clone volume',
	'volumes.delete': 'delete volume',
};

const states: Readonly<Record<string, string>> = {running: 'start', stopped: 'stop'};

function changed(entry: JournalEntry): Activity {
	const {change, answers} = entry;
	const {target, label = '', price, request} = change;
	// A list read after the change is better evidence than the reply to it.
	const outcome = answers.at(-1)?.outcome;
	return {
		id: numberOf(`change ${request}`),
		at: Date.parse(change.at) || 0,
		what: actionText(change),
		subject: joined(' ', subjectOf(target), printable(shownLabel(label))),
		price,
		result: resultOf(entry),
		isTrouble: outcome === undefined || troubles.has(outcome),
		source: {kind: 'change', entry},
	};
}

/** Id for tables, whose rows have numbers. */
function numberOf(name: string): number {
	let hash = 0;
	for (let at = 0; at < name.length; at++) {
		hash = (hash * 31 + name.charCodeAt(at)) % 9_007_199_254_740;
	}
	return hash;
}

function joined(between: string, ...parts: ReadonlyArray<string | undefined>): string {
	return parts.filter(part => part !== undefined && part !== '').join(between);
}

function actionText({action, state, label}: JournalEntry['change']): string {
	if (action !== 'instances.change') return actionTexts[action] ?? printable(action);
	return states[state ?? ''] ?? (label === undefined ? 'change' : 'label');
}

function resultOf({answers}: JournalEntry): string {
	const last = answers.at(-1);
	if (last === undefined) return 'not answered';
	const made = answers.findLast(({instance}) => instance !== undefined)?.instance;
	const says = last.outcome === 'done' ? undefined : printable(last.says ?? '');
	return joined(
		', ',
		outcomeTexts[last.outcome],
		made === undefined ? '' : `instance ${made}`,
		says,
	);
}

function subjectOf(target: JournalEntry['change']['target']): string {
	if (target === undefined) return '';
	if (typeof target === 'object') return target.join(' ');
	return printable(String(target));
}

export const outcomeTexts: Readonly<Record<JournalOutcome, string>> = {
	done: 'done',
	queued: 'accepted, waits',
	refused: 'refused',
	'never sent': 'never sent',
	lost: 'answer lost',
	found: 'found to be done',
	'not found': 'found not to be done',
	unknown: 'not known',
	seen: 'seen',
	'not seen': 'not seen yet',
	gone: 'gone',
	differs: 'not as ordered',
	'taken back': 'taken back, nothing was sent',
};

const troubles = new Set<JournalOutcome>([
	'refused',
	'lost',
	'unknown',
	'not seen',
	'never sent',
	'differs',
]);
const bad = new Set<string>(['stuck', 'dead', 'undead', 'noSsh', 'failing', 'failed', 'waiting']);

/** A condition in the words of the screens, for events: "loading", "stuck". */
export function conditionWord(condition: InstanceCondition): string {
	return stateSigns[condition].word;
}

function seen(event: FleetEvent): Activity {
	const {at, id, label, from, to} = event;
	return {
		id: numberOf(`seen ${at} ${id} ${to}`),
		at,
		what: 'seen',
		subject: joined(' ', String(id), printable(label)),
		price: undefined,
		result:
			from === undefined ? conditionWord(to) : `${conditionWord(from)}, now ${conditionWord(to)}`,
		isTrouble: bad.has(to),
		source: {kind: 'seen', event},
	};
}

/**
 * Inputs of tools that tell the subject of a call, with a word before those that are unclear
 * without it.
 */
const subjects = [
	['id', ''],
	['offer', 'offer '],
	['offers', 'offers '],
	['words', ''],
	['key', 'key '],
] as const;

function called(call: AgentCall): Activity {
	const {at, agent, tool, input, outcome, says} = call;
	const [name, word] = subjects.find(([one]) => input[one] !== undefined) ?? ['', ''];
	return {
		id: numberOf(`call ${at} ${agent} ${tool} ${JSON.stringify(input)}`),
		at: Date.parse(at) || 0,
		what: printable(`${tool} by ${agent}`),
		subject: printable(`${word}${input[name] ?? ''}`),
		price: undefined,
		result: joined(', ', outcome, printable(says)),
		isTrouble: outcome !== 'done',
		source: {kind: 'call', call},
	};
}

function waits(approval: Approval): Activity {
	const {id, at, agent, words: lines} = approval;
	return {
		id: numberOf(`waits ${id}`),
		at: at * 1000,
		what: printable(`rent by ${agent}`),
		subject: printable(lines[1] ?? ''),
		price: undefined,
		result: 'WAITS FOR YOU: Enter shows it, x refuses',
		isTrouble: true,
		source: {kind: 'waiting', approval},
	};
}

/** Activities in which every word is found. */
export function filterActivities(list: readonly Activity[], text: string): readonly Activity[] {
	const wanted = text
		.toLowerCase()
		.split(/\s+/)
		.filter(word => word !== '');
	if (wanted.length === 0) return list;
	return list.filter(({what, subject, result}) => {
		const all = `${what} ${subject} ${result}`.toLowerCase();
		return wanted.every(word => all.includes(word));
	});
}

const rents = new Set(['instances.create', 'instances.createMany', 'instances.launch']);

export function instancesOf({source}: Activity): readonly number[] {
	if (source.kind === 'seen') return [source.event.id];
	if (source.kind !== 'change') return [];
	const {change, answers} = source.entry;
	if (!change.action.startsWith('instances.')) return [];
	// Rents refer to offers: their instances are in the replies.
	const target = rents.has(change.action) ? undefined : change.target;
	const targets = [target, ...answers.map(({instance}) => instance)].flat();
	return [...new Set(targets.map(Number))].filter(id => Number.isInteger(id) && id > 0);
}
