import {splitArguments} from '../../../source/contract/grammar/arguments.ts';
import {commandsOf} from '../commands/commands.ts';
import {hearMachines, openTestMarketFile} from '../market/instances.ts';

const lines = [
	"rentty offers '4090 <0.60' --limit 3",
	'rentty rent 4090 --image ubuntu:24.04 --label train --yes',
	'rentty ps',
	'rentty destroy train --yes',
];

/** What commands say one after the other, as somebody at a terminal sees it. */
export async function recordSession(): Promise<string> {
	await using market = await openTestMarketFile({offers: 600});
	await hearMachines(market.database);
	const run = commandsOf(market, {isTerminal: true, environment: {LANG: 'C.UTF-8'}});
	let shown = '';
	for (const line of lines) {
		const [, name = '', ...argv] = splitArguments(line);
		const {out, err} = await run(name, ...argv);
		shown += `$ ${line}\n${out}${err}`;
	}
	return shown;
}
