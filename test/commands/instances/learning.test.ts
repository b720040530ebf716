import {expect, test} from 'vitest';
import {commandsOf, jsonOf} from '../../helpers/commands/commands.ts';
import {
	instance,
	openLoggingService,
	second,
} from '../../console/screens/instances/logs/open-logs.ts';

const START = Date.UTC(2026, 10, 23, 12);

/** A second for each step, beginning at noon. */
function steps(loss: (step: number) => string, count = 200): string {
	return Array.from({length: count}, (_, at) => {
		const time = new Date(START + at * 1000).toISOString();
		return `${time} step ${at + 1}/1000 loss ${loss(at + 1)} lr 1e-4\n`;
	}).join('');
}

const falls = (step: number) => (4 - step / 100 + 0.02 * Math.sin(step)).toFixed(4);
/** Moment of the last step. */
const clock = {now: () => START / 1000 + 200};

test('of each run is said whether it learns, how far it is, and what the rest of it costs', async () => {
	await using service = await openLoggingService([instance, second]);
	service.logs.container = `${steps(falls)}Saving model checkpoint to out/checkpoint-150\n`;
	service.logs.second = steps(step => (step > 190 ? 'nan' : falls(step)));
	const run = commandsOf({...service, clock});
	const {out, code} = await run('run', 'label~train', '--every', '1');
	expect(out).toMatchInlineSnapshot(`
		"INSTANCE	RUN	STEP	LOSS	LR	S/STEP	LEFT	COST MORE	NOTE
		7 train-a	LEARNING	200 of 1000, 20 %	1.982	0.0001	1	13m	$0.22	checkpoint 150
		8 train-b	NAN	200 of 1000, 20 %	NaN	0.0001	1	-	-	no number since step 190, where it was 2.12
		"
	`);
	expect(code).toBe(0);
	const [good, bad] = jsonOf(await run('run', '7,8', '--every', '1', '--json'));
	expect(good).toMatchObject({id: 7, run: 'LEARNING', step: 200, of: 1000, loss: 1.9825});
	expect(good).toMatchObject({seconds_left: 800, cost_left: 0.2222, checkpoint: 150});
	expect(bad).toMatchObject({id: 8, run: 'NAN', loss: 'NaN'});
});

test('an end that comes before that of the run is said', async () => {
	await using service = await openLoggingService([{...instance, duration: 300}]);
	service.logs.container = steps(falls);
	const {out} = await commandsOf({...service, clock})('run', '7', '--every', '1');
	expect(out).toContain('it ends 8m before the run does');
});

test('a log without steps is no run, and a log that cannot be read is said', async () => {
	await using service = await openLoggingService([instance]);
	service.logs.container = 'Server listening on 0.0.0.0 port 22.\n';
	const run = commandsOf({...service, clock});
	expect((await run('run', '7', '--every', '1')).out).toContain('NO RUN');
	expect(await run('run')).toMatchObject({code: 2, out: ''});
});

test('changes of a verdict are told while it is followed', async () => {
	await using service = await openLoggingService([instance]);
	service.logs.container = steps(falls);
	const run = commandsOf(
		{...service, clock},
		{
			interruptAfter: /NAN/,
			onSaid: () =>
				(service.logs.container = steps(step => (step > 200 ? 'nan' : falls(step)), 210)),
		},
	);
	const {out} = await run('run', '7', '--follow', '--every', '1');
	expect(out.match(/LEARNING|NAN/g)).toEqual(['LEARNING', 'NAN']);
});

test('a pattern is tried on the last lines, and kept in the settings it is read', async () => {
	await using service = await openLoggingService([instance]);
	service.logs.container = 'boot\nit 1/9 L=3.5\nit 2/9 L=3.25\n';
	const run = commandsOf({...service, clock});
	const pattern = 'it {step}/{of} L={loss}';
	const {out, code} = await run('run', '7', '--pattern', pattern);
	expect([out, code]).toEqual([
		'7 train-a: 2 of 3 lines match\nstep 1 of 9 loss 3.5\tit 1/9 L=3.5\nstep 2 of 9 loss 3.25\tit 2/9 L=3.25\n',
		0,
	]);
	expect((await run('run', '7', '--pattern', 'it {stop}')).err).toContain('{stop} is no figure');
	expect((await run('run', '7', '--pattern', 'never {step}')).code).toBe(1);
	expect((await run('run', '7', '--every', '1')).out).not.toContain('3.25');
	const kept = commandsOf({...service, clock}, {settings: {runPatterns: [pattern]}});
	expect((await kept('run', '7', '--every', '1')).out).toContain('2 of 9, 22 %');
});
