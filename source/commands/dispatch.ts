/** Runs the command that the first word of the command line names. */
import {UsageError} from '../renter/text/usage-error.ts';
import {commandNamed, commands} from './index.ts';
import {runCommand} from './run.ts';
import {openCommandSetup} from './command-setup.ts';

/** @throws UsageError where there is no such command */
export async function dispatch(
	[name = '', ...argv]: readonly string[],
	program: Parameters<typeof openCommandSetup>[0],
): Promise<number> {
	const command = commandNamed(name);
	if (command === undefined) {
		const names = commands.map(known => known.name).join(', ');
		throw new UsageError(`There is no command ${name}. There are ${names}, market and host.`);
	}
	return runCommand(command, argv, openCommandSetup(program));
}
