/** Resources and prompts of the protocol: texts that a client may show, and ways to begin. */
import {type McpServer, ResourceTemplate} from '@modelcontextprotocol/server';
import {lexicon} from '../../renter/offers/words/fields.ts';
import type {Agent} from './agent.ts';
import {fenced} from '../../renter/agents/fence.ts';
import {readCalls} from '../../renter/agents/call-log.ts';
import {account} from './find-tools.ts';
import {instances} from './instance-tools.ts';
import {MOST_ANSWER, type ToolAnswer} from './tool.ts';

type Resource = {
	readonly name: string;
	readonly uri: string;
	readonly about: string;
	/** Read from files of the user. */
	readonly isOfFiles?: true;
	readonly read: (agent: Agent) => Promise<ToolAnswer>;
};

/** Texts kept out of the list of tools, which costs an agent tokens at each start. */
const resources: readonly Resource[] = [
	{
		name: 'fleet',
		uri: 'rentty://fleet',
		about: 'All rented instances, and which of them agents rented.',
		read: async agent => instances.run(agent, {}),
	},
	{
		name: 'limits',
		uri: 'rentty://limits',
		about: 'Credit, the limits that the user set, and what they leave.',
		read: async agent => account.run(agent, {}),
	},
	{
		name: 'journal',
		uri: 'rentty://journal',
		about: 'The last calls of agents, and what came of each.',
		isOfFiles: true,
		async read({context}) {
			const calls = readCalls(context.folders.state).slice(0, 30);
			const lines = calls.map(({at, agent, tool, outcome, says}) =>
				[at, agent, tool, outcome, says].join('  '),
			);
			const text = fenced('the calls of agents', lines.join('\n'), {keeps: 'start'});
			return {text: lines.length === 0 ? 'No agent has called anything yet.' : text, data: {}};
		},
	},
	{
		name: 'words',
		uri: 'rentty://words',
		about: 'The words by which find looks for offers.',
		async read() {
			const fields = lexicon.fields.map(({name, type, about}) => `${name} (${type}): ${about}`);
			const how = [
				'Words stand side by side and all have to hold: 4x4090 <2.50 24g us,ca.',
				'A field is compared by = != < <= > >=, a part of a text by ~: reliability>0.99 gpu~RTX.',
				`Words alone: ${lexicon.bareWords.join(', ')}.`,
			];
			return {text: [...how, ...fields].join('\n'), data: {}};
		},
	},
];

const prompts: ReadonlyArray<readonly [name: string, about: string, text: string]> = [
	[
		'find-and-rent',
		'Find a machine for a job, and rent it with a lease.',
		'Ask what the job needs: GPU memory, GPUs, disk, hours, the most it may cost. Read account. find offers, compare ' +
			'the best three, and say in one sentence which is taken and why. quote it for the hours of the job, say what it ' +
			'costs in all, then rent with a key of your own. Look with instances until it runs; extend the lease only where ' +
			'the job needs it, and end the instance when it is done.',
	],
	[
		'look-after-my-fleet',
		'Look at everything that runs, and say what needs a person.',
		'Read instances and account. Say what runs, what it costs, what is stuck, idle or about to end. For what agents ' +
			'rented, read the end of the log and say whether it goes on. Change nothing that is not an agent’s own; say which ' +
			'command the user would type for the rest.',
	],
	[
		'tidy-up',
		'End what agents hold and nobody needs.',
		'Read instances. For each that agents rented, say what it is for, whether it still works (logs), and what it costs. ' +
			'End what is done, and ask before what is not. Read account at the end and say what still costs.',
	],
];

function contents(uri: URL, {text}: ToolAnswer) {
	return {contents: [{uri: uri.href, mimeType: 'text/plain', text: text.slice(0, MOST_ANSWER)}]};
}

/** @param open opens what a read works with, as for a call of a tool */
export function registerTexts(
	server: McpServer,
	open: () => Promise<Agent>,
	hasFiles: boolean,
): void {
	for (const {name, uri, about, isOfFiles, read} of resources) {
		if (isOfFiles && !hasFiles) continue;
		server.registerResource(name, uri, {description: about}, async at =>
			contents(at, await read(await open())),
		);
	}
	server.registerResource(
		'instance',
		new ResourceTemplate('rentty://instances/{id}', {list: undefined}),
		{description: 'One instance: its state with the evidence, cost and lease.'},
		async (at, {id}) => {
			const {data} = await instances.run(await open(), {id: Number(id)});
			const text = fenced(
				`instance ${String(id)}`,
				JSON.stringify(data['instances'], undefined, 1),
			);
			return contents(at, {text, data});
		},
	);
	for (const [name, description, text] of prompts) {
		server.registerPrompt(name, {description}, () => ({
			messages: [{role: 'user', content: {type: 'text', text}}],
		}));
	}
}
