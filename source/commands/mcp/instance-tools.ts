/** Tools about instances: a list, logs, commands, the end and the lease. */
import * as z from 'zod/mini';
import {execInAll} from '../../renter/connect/exec.ts';
import type {FleetRow} from '../../renter/fleet/fleet-state.ts';
import {execTargetsOf} from '../../renter/leases/ssh-inside.ts';
import {sendLease} from '../../renter/leases/send-lease.ts';
import {enforcerText, leaseOf} from '../../renter/leases/held.ts';
import {endlessLease, shownLabel} from '../../renter/words/lease.ts';
import {pricePerHour} from '../../renter/text/format.ts';
import {instanceJson, stateWord} from '../instances/facts.ts';
import {askingOf} from '../leases/lease.ts';
import {
	changeLimits,
	limitProblem,
	pollFleet,
	ownInstance,
	refused,
	reserve,
	usedNow,
} from './agent.ts';
import {fenced, quotedText, shortText} from '../../renter/agents/fence.ts';
import type {AgentRent} from './rents.ts';
import {wholeId, linesText, listed, tool, withUntrusted} from './tool.ts';

const fields = [
	'id',
	'label',
	'condition',
	'since',
	'ends',
	'gpu',
	'gpus',
	'location',
	'price_per_hour',
	'cost_at_least',
	'cost_at_most',
	'evidence',
] as const;

/** Texts of a record that are made here, and repeat nothing from a service. */
const ownFields = ['condition', 'since', 'ends'] as const;

function shownInstance(row: FleetRow, rent: AgentRent | undefined) {
	const shown = withUntrusted(instanceJson(row), fields, ownFields);
	return {...shown, agent: rent?.agent ?? null};
}

export const instances = tool({
	name: 'instances',
	about:
		'Rented instances: state with its evidence, cost, lease. agent names those that agents rented.',
	input: z.object({id: z.optional(wholeId)}),
	output: listed('instances'),
	kind: 'reads',
	async run(agent, {id: wanted}) {
		const {state, own} = await pollFleet(agent);
		const rows = state.rows.filter(({instance}) => wanted === undefined || instance.id === wanted);
		const lines = rows.map(row => {
			const {instance, rate} = row;
			const whose = own.has(instance.id) ? ', an agent rented it' : '';
			return `${instance.id} ${shortText(shownLabel(instance.label), 60)}: ${shortText(stateWord(row), 30)}, ${pricePerHour(rate.now)}${whose}`;
		});
		return {
			text: linesText('instance', lines),
			data: {
				instances: rows.slice(0, 20).map(row => shownInstance(row, own.get(row.instance.id))),
				...(rows.length > 20 && {left_out: rows.length - 20}),
			},
		};
	},
});

export const logs = tool({
	name: 'logs',
	about: 'The end of the log of an instance that an agent rented, as untrusted data.',
	input: z.object({
		id: wholeId,
		lines: z.optional(z.int().check(z.minimum(1), z.maximum(1000))),
		filter: z.optional(z.string().check(z.maxLength(200))),
	}),
	output: z.looseObject({id: wholeId}),
	kind: 'reads',
	async run(agent, {id: wanted, lines = 100, filter}) {
		await ownInstance(agent, wanted);
		const {client, context} = agent;
		const question = {tail: lines, filter};
		const text = await client.instances.logs(wanted, question, {signal: context.signal});
		const shown = `The end of the log of ${wanted}:\n${fenced(`the log of ${wanted}`, text)}`;
		return {text: shown, data: {id: wanted}};
	},
});

export const run = tool({
	name: 'run',
	about: 'A shell command in an instance that an agent rented, over SSH, with a time limit.',
	input: z.object({
		id: wholeId,
		command: z.string().check(z.minLength(1), z.maxLength(8000)),
		seconds: z.optional(z.int().check(z.minimum(1), z.maximum(600))),
	}),
	output: z.looseObject({id: wholeId, exit_code: z.nullable(z.int())}),
	kind: 'changes',
	async run(agent, {id: wanted, command, seconds = 60}) {
		changeLimits(agent);
		const {row} = await ownInstance(agent, wanted);
		const {client, context} = agent;
		const entering = {...context, client, name: context.service().name};
		const targets = await execTargetsOf(entering, [row.instance]);
		const limits = {atOnce: 1, limitMs: seconds * 1000, signal: context.signal};
		const [ended] = await execInAll(targets, command, limits).done;
		if (ended === undefined || (ended.state === 'failed' && ended.count === 0)) {
			const why = quotedText(ended?.problem, 200);
			throw refused(`The command did not run in ${wanted}: ${why}.`);
		}
		const text = ended.lines.map(line => line.text).join('\n');
		const code = ended.exitCode ?? null;
		const said =
			code === null ? `It did not end: ${quotedText(ended.problem, 200)}.` : `Exit ${code}.`;
		return {
			text: `${said}\n${fenced(`a command in ${wanted}`, text)}`,
			data: {id: wanted, exit_code: code, lines: ended.count},
		};
	},
});

export const end = tool({
	name: 'end',
	about: 'Stops or destroys an instance that an agent rented, and looks until it is so.',
	input: z.object({id: wholeId, how: z.enum(['stop', 'destroy'])}),
	output: z.looseObject({id: wholeId, outcome: z.string()}),
	kind: 'destroys',
	async run(agent, {id: wanted, how}) {
		changeLimits(agent);
		const {rent} = await ownInstance(agent, wanted);
		const {client, context, rents} = agent;
		const options = {signal: context.signal, timeoutMs: 60_000};
		const ended =
			how === 'stop'
				? await client.instances.halt(wanted, options)
				: await client.instances.remove(wanted, options);
		const {outcome} = ended;
		if (ended.outcome === 'refused') throw ended.error;
		const goneAt = client.clock.now() / 1000;
		const trouble = outcome === 'gone' ? await rents.note({token: rent.token, goneAt}) : undefined;
		const costs = outcome === 'stopped' ? ': its disk still costs, until it is destroyed' : '';
		const text = `Instance ${wanted}: ${outcome}${costs}. ${trouble ?? ''}`.trim();
		return {text, data: {id: wanted, outcome}};
	},
});

/** A market's machine enters no instance, and has no guard of the renter's: the market ends it by itself. */
const enterNothing = {
	inside: async () => undefined,
	agreed: undefined,
	folders: {state: undefined},
};

export const lease = tool({
	name: 'lease',
	about:
		'Makes the lease of an instance that an agent rented end so many hours from now, longer or shorter.',
	input: z.object({id: wholeId, hours: z.number().check(z.positive(), z.maximum(8760))}),
	output: z.looseObject({id: wholeId, ends_at: z.string()}),
	kind: 'changes',
	async run(agent, {id: wanted, hours}) {
		const most = changeLimits(agent);
		if (hours > most.lease_hours) {
			throw refused(`The user's limit is a lease of ${most.lease_hours} hours from now.`);
		}
		const {row, rent, state} = await ownInstance(agent, wanted);
		const {client, context, rents} = agent;
		const endsAt = Math.round(client.clock.now() / 1000 + hours * 3600);
		const ids = new Set(state.rows.map(({instance}) => instance.id));
		if (endsAt > rent.endsAt) {
			await reserve(agent, 'Nothing was changed.', known => {
				const next = known.map(one => (one.token === rent.token ? {...one, endsAt} : one));
				const why = limitProblem(agent, usedNow(agent, next, ids));
				return why === undefined ? {result: why, line: {token: rent.token, endsAt}} : {result: why};
			});
		}
		const asking = {...askingOf(context, client), ...(agent.isOfMarket && enterNothing)};
		const sent = await sendLease(asking, row.instance, present => {
			const {lease: held = endlessLease} = leaseOf(present);
			return {...held, endsAt, action: 'destroy'};
		});
		const isEarlier = endsAt < rent.endsAt && sent.isOwn;
		const trouble = isEarlier ? await rents.note({token: rent.token, endsAt}) : undefined;
		const by = sent.enforcers.map(enforcerText).join('; ');
		const ends_at = new Date(endsAt * 1000).toISOString();
		const problems = sent.problems.map(one => quotedText(one, 200)).join(' ');
		return {
			text: `Instance ${wanted} ends at ${ends_at}. ${by || 'Nobody is known to end it'}. ${problems} ${trouble ?? ''}`.trim(),
			data: {id: wanted, ends_at},
		};
	},
});
