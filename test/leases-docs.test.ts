import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {splitArguments} from '../source/contract/grammar/arguments.ts';
import {leaseOptions} from '../source/commands/leases/lease-options.ts';
import {readAlertSettings} from '../source/renter/alerts/alert-settings.ts';
import {readBudgets} from '../source/renter/leases/budgets.ts';
import {readTerms, writeTerms} from '../source/renter/leases/lease-terms.ts';
import {kinds} from '../source/market/notifications/rules.ts';
import {commandsOf} from './helpers/commands/commands.ts';
import {hearMachines, openTestMarketFile} from './helpers/market/instances.ts';

const page = readFileSync(join(import.meta.dirname, '..', 'docs', 'leases.md'), 'utf8');

function blocks(language: string): readonly string[] {
	return [...page.matchAll(new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``, 'g'))].map(
		([, text = '']) => text.trim(),
	);
}

test('the commands of docs/leases.md do what the page says', async () => {
	await using market = await openTestMarketFile({offers: 600});
	await hearMachines(market.database);
	const run = commandsOf(market);
	const lines = blocks('sh').flatMap(block => block.split('\n'));
	const ends: string[] = [];
	for (const line of lines) {
		const [, name = '', ...argv] = splitArguments(line);
		const {code, err} = await run(name, ...argv);
		expect([line, code, err.includes('Usage')]).toEqual([line, 0, false]);
		ends.push((await run('lease', 'train')).out.split('\n')[0] ?? '');
	}
	const rules = 'idle 30m until \\$20 then stop';
	const first = new RegExp(`^1 train ends: for (6h|5h59m\\d+s) ${rules} before cp -r out /data$`);
	expect(ends[0]).toMatch(first);
	expect(ends[2]).toMatch(/ends: for (8h|7h59m\d+s) /);
	expect(ends[3]).toMatch(/ when done then stop before cp/);
	expect(ends[4]).toMatch(/ then stop keep before cp -r out \/data$/);
	expect(ends[5]).toBe('1 train has no end.');
});

test('the words, files, options and kinds of docs/leases.md are those that are read', () => {
	const words = /^ {4}(for .*)$/m.exec(page)?.[1] ?? '';
	expect(writeTerms(readTerms(words))).toBe(words.replace(' 5m/10m', ''));
	const [alerts, budgets] = blocks('json');
	expect(readAlertSettings(alerts).routes).toMatchObject({desktop: true, terminal: 'osc777'});
	expect(readBudgets(budgets)).toHaveLength(2);
	const named = Object.keys(leaseOptions).filter(name => !page.includes(`\`--${name}\``));
	expect(named).toEqual([]);
	const told = [...page.matchAll(/`(client:\w+)`/g)].map(([, key = '']) => key);
	expect(told.filter(key => kinds.every(kind => kind.key !== key))).toEqual([]);
});
