import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {commandsOf} from '../helpers/commands/commands.ts';
import {openFolder} from '../helpers/folder.ts';
import {openToldService} from '../helpers/services/told-service.ts';

test.each([500, 429, 404])(
	'a test of alerts asks a webhook that answers %d once, and ends',
	async status => {
		using folder = openFolder();
		let asked = 0;
		await using hook = await openToldService((_, response) => {
			asked += 1;
			response.writeHead(status).end();
		});
		const settings = join(folder.path, 'rentty');
		const secretFile = join(folder.path, 'secret');
		writeFileSync(secretFile, 's3cret');
		mkdirSync(settings, {recursive: true});
		const webhook = {url: hook.url, secretFile};
		writeFileSync(join(settings, 'alerts.json'), JSON.stringify({webhook}));
		const run = commandsOf({url: hook.url, key: 'k'}, {folder: folder.path});
		const {code, out} = await run('alerts', 'test');
		expect({code, out, asked}).toEqual({
			code: 1,
			out: `webhook the webhook answered ${status}\n`,
			asked: 1,
		});
	},
);
