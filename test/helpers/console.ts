import type {Client} from '../../source/client/client.ts';
import {openClient} from '../../source/client/client.ts';
import type {Memory} from '../../source/console/memory.ts';
import {openConsole} from '../../source/console/open.tsx';
import {defaultSettings} from '../../source/console/default-settings.ts';
import {createTheme} from '../../source/console/theme.ts';
import type {Environment} from '../../source/console/theme.ts';
import {openTestTerminal} from './terminal.ts';

export type TestConsoleOptions = {
	readonly columns?: number;
	readonly rows?: number;
	readonly environment?: Environment;
	/** Where the service is; by default nothing answers, ever. */
	readonly service?: {readonly url: string; readonly key: string};
	readonly memory?: Memory;
};

/** The console on an emulated terminal, talking to a real service. */
export function openTestConsole({
	columns = 80,
	rows = 24,
	environment = {LANG: 'C'},
	service,
	memory,
}: TestConsoleOptions = {}) {
	const terminal = openTestTerminal({columns, rows});
	let client: Client | undefined;
	const screen = openConsole({
		terminal: terminal.terminal,
		service: {name: 'practice', isPractice: true},
		async client(onExchange) {
			if (service === undefined) return new Promise<Client>(() => {});
			// A fixed time, so that frames can be compared whole.
			client = openClient({...service, onExchange: () => onExchange(12)});
			return client;
		},
		settings: defaultSettings,
		...(memory !== undefined && {memory}),
		theme: createTheme(environment),
		now: () => new Date(2026, 10, 21, 12, 41, 7),
	});
	return {
		...terminal,
		left: screen.left,
		async [Symbol.asyncDispose]() {
			screen.leave();
			await client?.close();
			terminal[Symbol.dispose]();
		},
	};
}
