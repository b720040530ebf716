/** `rentty host test`: has the market test a machine, and shows the result. */
import process from 'node:process';
import {setTimeout as sleep} from 'node:timers/promises';
import type {Client} from '../../client/client.ts';
import type {MachineTest} from '../../contract/nouns/machine-upkeep.ts';
import {writeRows, type PrintedColumn} from '../base/output.ts';

const POLL_MS = 3000;

type Testing = {
	readonly client: Client;
	readonly machineId: number;
	/** Takes the cells of a line. */
	readonly say: (...cells: readonly string[]) => void;
	/** Show past tests instead of a new one. */
	readonly history?: boolean | undefined;
	readonly json?: boolean | undefined;
};

/** True if the machine has passed; undefined if none was tested. */
export async function testMachine(testing: Testing): Promise<boolean | undefined> {
	const {client, machineId, say, history: isHistory, json: isJson} = testing;
	if (isHistory === true) {
		const tests = await client.machines.tests(machineId);
		if (isJson === true) for (const test of tests) say(JSON.stringify(test));
		else if (tests.length === 0) say(`Machine ${machineId} was never tested.`);
		else for (const test of tests) printTest(test, say);
		return undefined;
	}
	const number = await client.machines.test(machineId);
	if (isJson !== true) {
		say(
			`Test ${number} of machine ${machineId} has begun. It takes some minutes; renters go first.`,
		);
	}
	for (;;) {
		await sleep(POLL_MS);
		const test = (await client.machines.tests(machineId)).find(({id}) => id === number);
		if (typeof test?.outcome !== 'string') continue;
		if (isJson === true) say(JSON.stringify(test));
		else printTest(test, say);
		return test.outcome === 'passed';
	}
}

type Check = NonNullable<MachineTest['checks']>[number];

const columns: ReadonlyArray<PrintedColumn<Check>> = [
	{title: 'CHECK', cell: ({name}) => name},
	{title: 'RESULT', cell: ({outcome}) => outcome ?? undefined},
	{title: 'SEEN BY', cell: ({said_by: by}) => by ?? undefined},
	{title: 'WHAT', cell: ({detail}) => detail ?? undefined},
];

function printTest(
	{id, outcome, ended_at: at, note, checks}: MachineTest,
	say: Testing['say'],
): void {
	const when = typeof at === 'number' ? new Date(at * 1000).toISOString() : 'under way';
	say(`Test ${id}  ${when}  ${outcome ?? '-'}  ${note ?? ''}`.trimEnd());
	if (checks === undefined || checks === null || checks.length === 0) return;
	writeRows({isTerminal: process.stdout.isTTY, line: say}, columns, checks);
}
