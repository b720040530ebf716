import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import * as z from 'zod/mini';
import {expect, test} from 'vitest';
import {openAgentProgram} from '../helpers/commands/agent-program.ts';
import {recordIn} from '../helpers/commands/commands.ts';
import {noOpenSsh, noRsync} from '../helpers/host/open-ssh.ts';

const root = join(import.meta.dirname, '..', '..');

const offers = z.array(z.looseObject({id: z.int()}));

/** Calls of the sessions in the document, and the lines of their answers that it shows. */
function callsOf(session: string) {
	return session.split(/^> /m).flatMap(part => {
		const [first = '', ...lines] = part.trimEnd().split('\n');
		const [, tool, given] = /^(\w+) (\{.*\})$/.exec(first) ?? [];
		return tool === undefined || given === undefined ? [] : [{tool, given, lines}];
	});
}

/** Ids and amounts are others in each run. */
const masked = (line: string) => line.replaceAll(/\d+(?:\.\d+)?/g, '0');

test.skipIf(noOpenSsh !== undefined || noRsync !== undefined)(
	'the sessions of the document come out as they are written',
	async () => {
		await using world = await openAgentProgram();
		const {call, shared, client} = world;
		const own = await world.rent('prod');
		writeFileSync(
			join(shared, 'train.sh'),
			'echo step 1 loss 0.50; echo step 2 loss 0.25; echo 0.25 > /workspace/loss.txt\n',
		);
		const document = readFileSync(join(root, 'docs', 'agents.md'), 'utf8');
		const sessions = [...document.matchAll(/^```agent\n(.*?)^```$/gms)].map(
			([, text = '']) => text,
		);
		expect(sessions).toHaveLength(3);
		const known: Record<string, unknown> = {};
		for (const {tool, given, lines} of sessions.flatMap(callsOf)) {
			const filled = given
				.replaceAll(/"\$(\w+)"/g, (_, name: string) => JSON.stringify(known[name]))
				.replaceAll('1003', String(own));
			// oxlint-disable-next-line no-await-in-loop -- one call after the other
			const {text, data} = await call(tool, recordIn(filled));
			const [offer] = offers.safeParse(data['offers']).data ?? [];
			if (offer !== undefined) known['offer'] = offer.id;
			if (data['quote'] !== undefined) known['quote'] = data['quote'];
			if (tool === 'rent') {
				known['id'] = data['id'];
				const status = async () => (await client.instances.show(Number(data['id'])))?.actual_status;
				// oxlint-disable-next-line no-await-in-loop -- as above
				await expect.poll(status).toBe('running');
			}
			const answered = text.split('\n').map(masked);
			for (const line of lines.filter(one => one !== '…')) {
				expect([tool, answered]).toEqual([tool, expect.arrayContaining([masked(line)])]);
			}
			if (!lines.includes('…')) expect([tool, answered.length]).toEqual([tool, lines.length]);
		}
		expect(readFileSync(join(shared, 'loss.txt'), 'utf8')).toBe('0.25\n');
		expect((await client.instances.list()).instances.map(({id}) => id)).toEqual([own]);
		expect(existsSync(join(shared, 'loss.txt'))).toBe(true);
	},
);
