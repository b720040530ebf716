import {PassThrough} from 'node:stream';
import {expect, test} from 'vitest';
import {holdConversation, changesBetween} from '../../source/commands/conversation.ts';
import {applyList, noteGone} from '../../source/renter/fleet/apply-polls.ts';
import {unseenFleet} from '../../source/renter/fleet/fleet-state.ts';
import {realTimers} from '../../source/renter/state/timers.ts';
import {worldOf, type CommandsOptions} from '../helpers/commands/commands.ts';
import {openFleetMarket} from '../helpers/fleet/fleet.ts';
import {openFolder} from '../helpers/folder.ts';
import {TEST_NOW} from '../helpers/market/market.ts';
import {listOf, lookAt, startDate} from '../helpers/fleet/looks.ts';

const now = () => TEST_NOW * 1000;

/** A conversation about a fleet: what is said is heard as lines. */
async function openTalk(options: Pick<CommandsOptions, 'isReadOnly'> = {}) {
	const market = await openFleetMarket();
	const folder = openFolder();
	const [stdin, stdout] = [new PassThrough(), new PassThrough()];
	let heard = '';
	stdout.on('data', (data: Buffer) => (heard += data.toString()));
	const world = {...worldOf(market, {...options, folder: folder.path}), now};
	const ended = holdConversation(
		{...world, stdin, stdout, stderr: stdout},
		{words: [], timers: {...realTimers, now}},
	);
	return {
		market,
		ended,
		say: (line: string) => void stdin.write(`${line}\n`),
		heard: () => heard,
		async sees(what: string | RegExp): Promise<void> {
			await expect.poll(() => heard).toMatch(what);
		},
		async [Symbol.asyncDispose]() {
			stdin.end();
			await ended;
			folder[Symbol.dispose]();
			await market[Symbol.asyncDispose]();
		},
	};
}

test('a list is read out when it is asked for, a sentence for each row, without one escape code', async () => {
	await using talk = await openTalk();
	await talk.sees('Type help and Enter');
	await talk.sees('4 instances are rented, for $0.24 an hour, at most $0.62.');
	talk.say('ps train-c');
	await talk.sees(
		/id \d+, label train-c, state stuck, for 16m, gpus 1x .*, image ubuntu:24\.04\.\n/,
	);
	talk.say('quit');
	expect(await talk.ended).toBe(0);
	expect(talk.heard()).not.toContain('\u001B');
});

test('instances are asked for in the words of the console, and by its views', async () => {
	await using talk = await openTalk();
	await talk.sees('4 instances are rented');
	talk.say("ps 'stuck label~train'");
	await talk.sees(/label train-c, state stuck/);
	expect(talk.heard()).not.toContain('label train-a');
	talk.say('ps stopped');
	await talk.sees(/label old-run, state stopped/);
	talk.say("ps 'label~trian'");
	await talk.sees('No instance is "label~trian"');
	talk.say("ps 'prise>1'");
	await talk.sees(/prise.*price/);
	talk.say('ps --view trouble');
	await talk.sees(/label train-c, state stuck[^]*label train-c, state stuck/);
	talk.say('stop running');
	await talk.sees(/train-a[^]*\? /);
	talk.say('no');
	talk.say('quit');
	expect(await talk.ended).toBe(0);
});

test('what destroys asks one question, and only yes does it', async () => {
	await using talk = await openTalk();
	talk.say('destroy old-run');
	await talk.sees('what is on the disk? Type destroy:');
	talk.say('destroy 2');
	await talk.sees('"destroy 2" is not "destroy": nothing was destroyed. Enter alone leaves.');
	await talk.sees(/Type destroy:[^]*Type destroy:/);
	talk.say('');
	await talk.sees('The answer was no. Nothing was changed.');
	talk.say('destroy old-run');
	await talk.sees(/(Type destroy:[^]*){3}/);
	talk.say('destroy');
	await talk.sees(`${talk.market.stopped.id} old-run gone`);
});

test('renting asks for one thing after the other, and without an image nothing is sent', async () => {
	await using talk = await openTalk();
	talk.say('rent any');
	await talk.sees('Which template?');
	expect(talk.heard()).not.toContain('Which image?');
	talk.say('');
	await talk.sees('Which image?');
	talk.say('');
	await talk.sees('Without a template or an image nothing can run. Nothing was rented.');
	talk.say('rent any');
	await talk.sees(/Which template\?[^]*Which template\?/);
	for (const answer of ['', 'ubuntu:24.04', 'spoken', '16']) talk.say(answer);
	await talk.sees(/Rent it\?/);
	await talk.sees(/Image +ubuntu:24\.04[^]*Disk +16 GB[^]*Label +spoken/);
	talk.say('y');
	await talk.sees(/\d+ costs .*destroy \d+ ends it/);
});

test('in a read-only profile what changes is refused in one sentence', async () => {
	await using talk = await openTalk({isReadOnly: true});
	talk.say('destroy old-run --yes');
	await talk.sees('The profile test is read-only, so nothing was changed.');
});

test('what nobody can say is told how to find out what can be said', async () => {
	await using talk = await openTalk();
	talk.say('dance');
	await talk.sees('"dance" is no command. Type help and Enter for all of them.');
	talk.say('help');
	await talk.sees(/offers \[WORDS…\]: list what can be rented\.\n/);
});

/** A fleet of one instance after one more look. */
const look = (minutes: number, status: string | null, before = unseenFleet) =>
	applyList(
		before,
		listOf(
			status === 'gone'
				? []
				: [
						{
							id: 7,
							label: 'train-c',
							actual_status: status,
							start_date: startDate(0),
							dph_total: 1.5,
							dph_base: 1.5,
							storage_total_cost: 0,
						},
					],
		),
		lookAt(minutes),
	);

test('a change of an instance is one sentence, and no change is silence', () => {
	const first = look(1, 'loading');
	expect(changesBetween(unseenFleet, first)).toEqual([
		'1 instance is rented, for $0.00 an hour, at most $1.50.',
	]);
	const same = look(2, 'loading', first);
	expect(changesBetween(first, same)).toEqual([]);
	const stuck = look(12, 'loading', same);
	expect(changesBetween(same, stuck)).toEqual(['7 train-c is stuck in loading, for 12m.']);
	const running = look(13, 'running', stuck);
	expect(changesBetween(stuck, running)).toEqual(['7 train-c is running.']);
	const missed = look(14, 'gone', running);
	expect(changesBetween(running, missed)).toEqual(['7 train-c is not listed yet, for 1m.']);
	const gone = noteGone(missed, 7, lookAt(14));
	expect(changesBetween(missed, gone)).toEqual(['7 train-c is gone.']);
});
