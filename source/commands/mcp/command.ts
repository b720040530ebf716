/** `rentty mcp`: lets agents rent within limits, over the Model Context Protocol. */
import type {Command} from '../base/command.ts';

export const mcp: Command = {
	name: 'mcp',
	summary: 'let agents rent within limits, over the Model Context Protocol',
	takes: '[serve | limits [LIMITS] | approve | log]',
	about: [
		'Speaks the Model Context Protocol over standard input and output, for programs that act for you:',
		'they find offers, and rent, enter and end instances of their own as far as the limits allow.',
		"limits shows them, and sets them: rentty mcp limits '$5/day, 2 instances, 12h leases'; none takes",
		'them away, and agents only read. --profile says with which key; else it is the practice market.',
		'approve asks you about rents that wait for you. log lists what agents called.',
	],
	options: {
		http: {value: 'PORT', about: 'serve: on this port of 127.0.0.1, at /mcp, with a bearer token'},
		each: {value: 'DOLLARS', about: 'limits: an hour at most for one instance'},
		images: {value: 'NAMES', about: 'limits: images that may be rented: a/b:1,ubuntu:*'},
		files: {
			value: 'FOLDER',
			about: 'limits: the folder between which and instances they copy files',
		},
		ask: {value: 'WHEN', about: 'limits: always, or from so many dollars an hour on, you approve'},
		limit: {value: 'N', about: 'log: how many calls at most (default 50)'},
	},
	run: async context => (await import('./subcommands.ts')).runSubcommand(context),
};
