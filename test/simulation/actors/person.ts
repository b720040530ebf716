/**
 * A person who rents: each command is a process, which may be killed, and is then typed again as people do.
 * What the person wished, and what the commands said, is kept for the rules.
 */
import type {Chance} from '../world/chance.ts';
import {world} from '../world/world.ts';
import {tear} from '../takeover/disk.ts';
import {networkHere, send} from '../takeover/network.ts';
import {befall, count} from '../tried.ts';
import {noteTold, type Truth} from '../truth.ts';
import {beginCommand, type Ran, type Seat} from './commands.ts';
import {pause, weighted} from './deeds.ts';
import {liesOf, stateNow} from './said.ts';

/** How far the command of a wish has come. */
export type Stage = 'typed' | 'killed' | 'typed again' | 'answered';

/** One order that a person wanted to be made once. */
export type Wish = {
	readonly name: string;
	/** Instance that a command named. */
	id: number | undefined;
	/** What the last command said of it. */
	said: Ran | undefined;
	stage: Stage;
};

export type Person = Seat & {
	readonly accountId: number;
	readonly chance: Chance;
	readonly wishes: Wish[];
	readonly truth: Truth;
	/** Share of commands that are killed. */
	readonly kills: number;
};

const say = (person: Person, text: string) => world().tell(`${person.name}: ${text}`);

/** Runs a command, which may be killed at any moment, with or without its machine. */
async function run(person: Person, words: readonly string[]): Promise<Ran> {
	const {chance} = person;
	say(person, `rentty ${words.join(' ')}`);
	const {process, ran} = beginCommand(person, words);
	if (chance.happens(person.kills)) {
		world().after(chance.wait(400), () => {
			if (!process.isAlive) return;
			const isCut = chance.happens(0.3);
			const id = words[0] === 'rent' ? undefined : Number(words[1]);
			const about = {machine: person.machine.name, id: Number.isInteger(id) ? id : undefined};
			if (!befall(isCut ? 'power cut' : 'command killed', person.name, about)) return;
			say(person, `the command is killed${isCut ? ', and the power is cut' : ''}`);
			if (isCut) tear(process);
			world().end(process);
		});
	}
	const said = await ran;
	const words2 = [said.code ?? 'killed', said.out.trim(), said.err.trim()].join(' | ');
	noteTold(person.truth, said.err);
	say(person, `→ ${words2.replaceAll('\n', ' / ').slice(0, 300)}`);
	count(`rentty ${words[0]}, ${said.code ?? 'killed'}`);
	return said;
}

const lie = ({name, truth}: Person, text: string) => void truth.lies.push(`${name}: ${text}`);

/** Instances of the person that are there. */
export const mine = ({truth, accountId}: Person) => {
	truth.look();
	return [...truth.made.values()].filter(
		one => one.accountId === accountId && one.goneAt === undefined,
	);
};

/** What ends an instance beside a time. */
const limits = [
	['--budget', '0.03'],
	['--for', '2h', '--budget', '0.1'],
	['--idle', '10m'],
];

/** A wish as it is typed. */
export function wishOf(name: string): Wish {
	return {name, id: undefined, said: undefined, stage: 'typed'};
}

/** Rents one, or two by one command. */
async function rent(person: Person): Promise<void> {
	const {chance, wishes, name} = person;
	const label = `${name}-${wishes.length + 1}`;
	const isTwo = chance.happens(0.15);
	const wanted = isTwo ? [wishOf(`${label}.1`), wishOf(`${label}.2`)] : [wishOf(label)];
	wishes.push(...wanted);
	const ends = chance.pick([[], ['--for', chance.pick(['2m', '5m', '10m', '2h'])], ...limits]);
	const stopped = chance.happens(0.5) ? ['--stopped'] : [];
	const words = chance.pick([['<3'], ['1x'], ['rel>0.5'], ['<9']]);
	const image = chance.happens(0.1) ? 'ubuntu:does-not-exist' : 'ubuntu:24.04';
	const many = isTwo ? ['--count', '2', '--over', '500'] : [];
	const terms = ['--image', image, '--label', isTwo ? `${label}.{}` : label, ...ends, ...stopped];
	const command = ['rent', ...words, ...terms, ...many, '--yes', '--json'];
	if (await order(person, wanted, command)) return;
	// A person whose machine went down types the same again, once.
	await pause(chance.wait(chance.happens(0.5) ? 3000 : 90_000));
	for (const wish of wanted) wish.stage = 'typed again';
	await order(person, wanted, command);
}

/** Runs the command of some wishes: false where it was killed. */
async function order(
	person: Person,
	wanted: readonly Wish[],
	command: readonly string[],
): Promise<boolean> {
	const said = await run(person, command);
	const named = [...said.out.matchAll(/"id":(\d+),[^\n]*"label":"([^"]+)"/g)];
	const wasTyped = wanted.some(({stage}) => stage === 'typed again');
	for (const wish of wanted) {
		const [, digits] = named.find(([, , label]) => label === wish.name) ?? [];
		wish.said = said;
		if (digits !== undefined) wish.id ??= Number(digits);
		wish.stage = said.code === undefined && !wasTyped ? 'killed' : 'answered';
	}
	return said.code !== undefined;
}

/** A deed about an instance of the person, where there is one. */
const about =
	(act: (person: Person, id: number) => Promise<unknown>) =>
	async (person: Person): Promise<void> => {
		const known = mine(person);
		if (known.length > 0) await act(person, person.chance.pick(known).id);
	};

async function destroy(person: Person, id: number): Promise<void> {
	const {truth} = person;
	truth.asked.set(id, 'destroy');
	const {code} = await run(person, ['destroy', String(id), '--yes']);
	if (code === 0 && truth.isThere(id)) lie(person, `destroy ${id} ended with 0, and it is there`);
}

/** Rows of `ps --json` say which instances there are, and what they are: all that did not change meanwhile. */
export async function look(person: Person): Promise<void> {
	const {truth, machine, accountId} = person;
	mine(person);
	const before = stateNow(truth, accountId);
	const {code, out} = await run(person, ['ps', '--json']);
	if (code !== 0 || networkHere().parted.has(machine.name)) return;
	for (const text of liesOf(person, out, before)) lie(person, text);
}

async function lease(person: Person, id: number): Promise<void> {
	const change = person.chance.pick([
		['--for', '10m'],
		['--extend', '15m'],
		['--none'],
		['--budget', '0.05'],
		['--idle', '15m'],
		['--keep'],
		['--for', '3h'],
		['--restore'],
	]);
	await run(person, ['lease', String(id), ...change]);
}

/** A sweep ends what is stuck or dead: nothing that runs, as the market knows it. */
async function sweep(person: Person): Promise<void> {
	const {truth, accountId} = person;
	const healthy = truth.isUnclear()
		? []
		: truth.rows(
				`select id from instances where account_id = ? and destroyed_at is null
				and current = 'running' and actual = 'running' and contact = 'heard'`,
				accountId,
			);
	const running = new Set(healthy.map(({id}) => Number(id)));
	const there = mine(person);
	const said = await run(person, ['sweep', '--yes', '--json']);
	// What a killed one has destroyed, it did not say.
	const unsaid = said.code === undefined ? there.filter(({id}) => !running.has(id)) : [];
	for (const {id} of unsaid) truth.asked.set(id, 'sweep');
	for (const [, digits] of said.out.matchAll(/"id":(\d+)/g)) {
		const id = Number(digits);
		const isWrong = running.has(id) && !truth.isThere(id) && !truth.lied.has(id);
		if (isWrong && !truth.asked.has(id)) lie(person, `a sweep destroyed ${id}, which ran`);
		truth.asked.set(id, 'sweep');
	}
}

/** Another program of the same person, which knows nothing of rentty: it writes labels, starts and stops. */
async function foreign(person: Person, id: number): Promise<void> {
	const {chance, key, url} = person;
	const body = chance.pick([
		{label: 'by hand'},
		{label: ''},
		{label: 'a [lease1 x] b'},
		{state: 'stopped'},
		{state: 'running'},
	]);
	if ('state' in body && body.state === 'stopped') person.truth.stopped.add(id);
	say(person, `another program writes ${JSON.stringify(body)} to ${id}`);
	await send(url, {
		method: 'PUT',
		path: `/api/v0/instances/${id}/`,
		headers: {authorization: `Bearer ${key}`, 'content-type': 'application/json'},
		body: JSON.stringify(body),
	}).catch(() => undefined);
	count('another program');
}

/** What a person does next, and how often. */
const weights = {
	rent: 10,
	destroy: 6,
	stop: 3,
	start: 4,
	look: 5,
	lease: 3,
	sweep: 2,
	foreign: 2,
	search: 1,
	prepay: 2,
	increases: 1,
	logs: 1,
	jobs: 1,
	other: 3,
};

/** Commands about no instance, or about all; `doctor` looks at this machine, and remembers what it saw. */
const others = [
	['templates', 'ubuntu'],
	['volumes'],
	['keys'],
	['keys', '--api'],
	['keys', 'history'],
	['keys', 'addresses'],
	['keys', 'new', 'spare', '--cap', '$5/day, 2 instances', '--yes'],
	['watch', '<9', '--for', '1'],
	['alerts', 'test'],
	['guard', 'status'],
];

const word = (...words: readonly string[]) =>
	about(async (person, id) => {
		if (words.includes('stop')) person.truth.stopped.add(id);
		return run(
			person,
			words.map(text => (text === 'ID' ? String(id) : text)),
		);
	});

const habits: Readonly<Record<keyof typeof weights, (person: Person) => Promise<unknown>>> = {
	rent,
	destroy: about(destroy),
	stop: word('stop', 'ID', '--yes'),
	start: word('start', 'ID', '--yes'),
	look,
	lease: about(lease),
	sweep,
	foreign: about(foreign),
	search: async person => run(person, ['offers', '<3', '--json']),
	prepay: word('prepay', 'ID', '1.50', '--yes'),
	increases: word('increases'),
	logs: word('logs', 'ID'),
	other: async person => run(person, person.chance.pick(others)),
	jobs: word('jobs', 'add', 'ID', 'stop', '--hourly', '30', '--yes'),
};

function isInDebt({truth, accountId}: Person): boolean {
	if (!truth.isOpen()) return false;
	return (
		truth.rows('select 1 from accounts where id = ? and credit_micros < 0', accountId).length > 0
	);
}

/** Lives for as long as its machine is there, with a pause of some mean between two deeds. */
export async function live(person: Person, meanMs: number): Promise<void> {
	const kinds = weighted(weights);
	const {name} = person;
	for (;;) {
		await pause(person.chance.wait(meanMs));
		const drawn = person.chance.pick(kinds);
		// Who is in debt ends what costs.
		const kind = person.chance.happens(0.4) && isInDebt(person) ? 'destroy' : drawn;
		// Of its own chance: a deed that is left out moves none after it.
		const chance = world().chance(`${name}, deed ${world().numberOf(name)}`);
		if (world().may(kind, name)) await habits[kind]({...person, chance});
	}
}
