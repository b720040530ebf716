/** `rentty market machines`: marks of machines, and their proofs. */
import process from 'node:process';
import {UsageError} from '../../renter/text/usage-error.ts';
import {
	answerFlags,
	whereFlags,
	runOperator,
	type Act,
	type OperatorAnswer,
	type OperatorCalls,
} from './operator.ts';
import {usageText} from '../base/help-text.ts';
import {readOptionsAndArguments} from '../base/options.ts';
import {DAY} from '../../contract/rules/durations.ts';

const flags = {
	...whereFlags,
	why: {type: 'string', value: 'TEXT', about: 'the reason, which its provider reads'},
	...answerFlags,
} as const;

const marketMachinesUsage = usageText(
	`Usage: rentty market machines WHAT [MACHINE] WHERE [options]

  list                machines of all providers, with their marks
  show MACHINE        what it has proven: its marks, and its reliability by day
  verify MACHINE      overrule its tests: it is verified
  deverify MACHINE    overrule its tests: it is not
  leave MACHINE       leave it to its tests again
  quarantine MACHINE  nobody can rent it, until it passes a test or is let go
  release MACHINE     let it out of quarantine`,
	flags,
);

type Mark = Omit<Parameters<OperatorCalls['markMachine']>[0], 'id' | 'why'>;

const marks: ReadonlyMap<string, Mark> = new Map<string, Mark>([
	['verify', {verification: 'verified'}],
	['deverify', {verification: 'deverified'}],
	['leave', {verification: 'tested'}],
	['quarantine', {quarantined: true}],
	['release', {quarantined: false}],
]);

export async function runMarketMachines(argv: readonly string[]): Promise<number> {
	const {values, words} = readOptionsAndArguments(argv, flags, 'rentty market machines');
	if (values.help === true) {
		process.stdout.write(marketMachinesUsage);
		return 0;
	}
	const act = readAct(words, values.why);
	await runOperator(values, 'rentty market machines', act);
	return 0;
}

/** @throws UsageError */
function readAct([what = '', name, ...more]: readonly string[], why: string | undefined): Act {
	const mark = marks.get(what);
	const takesMachine = mark !== undefined || what === 'show';
	const isList = what === 'list' && name === undefined;
	if ((!takesMachine && !isList) || more.length > 0) {
		const known = ['list', 'show', ...marks.keys()].join(', ');
		throw new UsageError(`rentty market machines takes one of ${known}; --help says more.`);
	}
	if (!takesMachine) return listAll;
	if (name === undefined || !/^\d{1,15}$/.test(name)) {
		throw new UsageError(`${what} needs the number of a machine.`);
	}
	const id = Number(name);
	if (mark === undefined) return async operator => show(operator, id);
	return async operator => {
		const record = await operator.markMachine({id, ...mark, ...(why !== undefined && {why})});
		return {record, lines: [[record.msg]]};
	};
}

const listAll: Act = async operator => {
	const machines = [];
	for (let after: number | undefined; ;) {
		const page = await operator.machines(after);
		machines.push(...page.machines);
		if (page.next_after === null) break;
		after = page.next_after;
	}
	const lines = machines.map(({id, account_id: account, name, ...machine}) => [
		String(id),
		`account ${account ?? '-'}`,
		name ?? '-',
		typeof machine.quarantine === 'string' ? 'quarantined' : (machine.verification ?? '-'),
		percent(machine.reliability ?? undefined),
		machine.quarantine ?? '',
	]);
	return {record: machines, lines};
};

async function show(operator: OperatorCalls, id: number): Promise<OperatorAnswer> {
	const record = await operator.machine(id);
	const {verification, quarantine, marks: given, days} = record;
	return {
		record,
		lines: [
			[
				`Machine ${id}`,
				verification,
				...(quarantine === null ? [] : [`quarantined: ${quarantine}`]),
			],
			...given.map(({at, mark, said_by: by, why}) => [dateOf(at), mark, by, why]),
			...days.map(({day, reliability, silent_seconds: silent, rentals, failed}) => [
				dateOf(day * DAY).slice(0, 10),
				percent(reliability),
				`${Math.round(silent / 60)} minutes silent`,
				`${failed} of ${rentals} rentals failed`,
			]),
		],
	};
}

function dateOf(seconds: number): string {
	return new Date(seconds * 1000).toISOString();
}

function percent(share: number | undefined): string {
	return share === undefined ? '-' : `${(share * 100).toFixed(2)} %`;
}
