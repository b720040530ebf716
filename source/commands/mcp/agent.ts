/** The service, the limits as they are now, and the name that tools of agents work with. */
import type {Client} from '../../client/client.ts';
import {capProblem, type CapUse} from '../../contract/grammar/caps.ts';
import {fileTrouble} from '../../contract/rules/thrown.ts';
import {PRACTICE} from '../../renter/profiles/profile.ts';
import type {FleetRow, FleetState} from '../../renter/fleet/fleet-state.ts';
import type {Context} from '../base/command.ts';
import {openFleetPolls} from '../instances/fleet-polls.ts';
import {CommandError, exitCodes} from '../base/failure.ts';
import {findLimits, USUAL_LEASE_HOURS, type FoundLimits} from './limits.ts';
import {findSecret} from './quotes.ts';
import {noteOutcomes} from './rent-outcomes.ts';
import {openRents, agentCapUse, type AgentRent, type KnownRents, type Line} from './rents.ts';

export type Agent = {
	/** Context of commands, whose service is the agents' own. */
	readonly context: Context;
	readonly client: Client;
	readonly limits: FoundLimits;
	/** Name that the client of the protocol says of itself, made harmless. */
	readonly name: string;
	/** Name of the service in quotes and rents. */
	readonly service: string;
	/** True at a market: it counts rents itself, and its machine has no files for agents. */
	readonly isOfMarket: boolean;
	readonly rents: KnownRents;
	readonly secret: string;
	/** Undefined if the client cannot ask a person. */
	readonly person: PersonAnswers | undefined;
};

/** Answers of a person to questions that the client has shown. */
export type PersonAnswers = {readonly answer: (id: string) => 'yes' | 'no' | undefined};

/** Opens what a call works with; the limits are read anew. */
export async function openAgent(
	context: Context,
	name: string,
	person?: (secret: string) => PersonAnswers,
): Promise<Agent> {
	const secret = await findSecret(context.folders.state);
	const {url, name: profile} = context.service();
	return {
		context,
		client: await context.client(),
		name,
		limits: findLimits(context.folders),
		service: url === undefined ? PRACTICE : `${profile} ${url}`,
		isOfMarket: false,
		rents: openRents(context.folders.state),
		secret,
		person: person?.(secret),
	};
}

/** Name of a client as rentty keeps it: in labels, in the environment and in the log. */
export function normalizeAgentName(name: string | undefined): string {
	const words = (name ?? '')
		.toLowerCase()
		.slice(0, 24)
		.split(/[^a-z0-9.]/);
	return words.filter(word => word !== '').join('-') || 'agent';
}

/** A refusal in our own words: what others wrote is fenced in it already. */
export class AgentRefusal extends CommandError {}

export function refused(why: string): AgentRefusal {
	return new AgentRefusal(exitCodes.failed, why);
}

export function asked(
	context: Context,
	options: Readonly<Record<string, string | undefined>>,
	words: readonly string[] = [],
): Context {
	const given = (name: string) => (name === 'yes' ? 'yes' : options[name]);
	return {
		...context,
		words,
		textOf: given,
		isGiven: name => given(name) !== undefined,
		isJson: true,
	};
}

/** The limits of a change. @throws CommandError if agents only read */
export function changeLimits({limits, context}: Agent) {
	const {problem, limits: most} = limits;
	if (problem !== undefined) throw refused(problem);
	if (most === undefined) {
		throw refused('Agents only read here. The user lets them rent: rentty mcp limits.');
	}
	if (context.service().isReadOnly) throw refused('This profile is read-only.');
	// Limits for one profile must not be used for another, such as practice limits for real money.
	if (context.serviceWords.length === 0 && context.service().name !== limits.profile) {
		throw refused(
			`The limits are for the profile ${limits.profile} by now, and this is ${context.service().name}: ` +
				'have the user start rentty mcp again. Nothing was changed.',
		);
	}
	return {...most, lease_hours: most.lease_hours ?? USUAL_LEASE_HOURS};
}

/**
 * Notes a rent or a longer lease before it is sent, while no other server decides.
 *
 * @param nothing what was not done, for the refusal
 * @param by the reason against it, or the line to be noted
 */
export async function reserve(
	{rents, service, client}: Agent,
	nothing: string,
	by: (rents: readonly AgentRent[]) => {readonly result: string | undefined; readonly line?: Line},
): Promise<void> {
	const problem = await rents
		.decide({service, now: client.clock.now() / 1000}, by)
		.catch((error: unknown) => `What agents rent cannot be noted (${fileTrouble(error)}).`);
	if (problem !== undefined) throw refused(`${problem} ${nothing}`);
}

export async function pollFleet(agent: Agent) {
	const state = await openFleetPolls(agent.context).poll();
	const known = await noteOutcomes(
		agent,
		state.rows.map(({instance}) => instance),
	);
	const own = new Map(
		known.flatMap(rent => (rent.id === undefined ? [] : [[rent.id, rent] as const])),
	);
	return {state, own};
}

/** An instance that an agent has rented. @throws CommandError for any other */
export async function ownInstance(
	agent: Agent,
	id: number,
): Promise<{readonly row: FleetRow; readonly rent: AgentRent; readonly state: FleetState}> {
	const {state, own} = await pollFleet(agent);
	const rent = own.get(id);
	const row = state.rows.find(({instance}) => instance.id === id);
	if (rent === undefined || row === undefined) {
		const ids = state.rows.map(({instance}) => instance.id).filter(one => own.has(one));
		const which = ids.length === 0 ? 'it has none' : `those are ${ids.join(', ')}`;
		throw refused(
			`Instance ${id} was not rented by an agent: it ends and enters only its own, and ${which}.`,
		);
	}
	return {row, rent, state};
}

export function usedNow(
	{client}: Agent,
	rents: readonly AgentRent[],
	ids: ReadonlySet<number>,
): CapUse {
	return agentCapUse(rents, {now: client.clock.now() / 1000, listed: ids});
}

/** The sentence against a use beyond the limits; undefined for none. */
export function limitProblem({limits, isOfMarket}: Agent, use: CapUse): string | undefined {
	// A market enforces the cap by its own count.
	if (isOfMarket) return undefined;
	return limits.limits && capProblem(limits.limits, use, "The user's limit");
}
