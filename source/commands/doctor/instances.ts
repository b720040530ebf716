/** `rentty doctor NAMES`: examines instances over SSH, and says of each whether it is as ordered. */
import type {Client} from '../../client/client.ts';
import type {Instance} from '../../contract/nouns/instance-record.ts';
import {openInside, execTargetsOf} from '../../renter/leases/ssh-inside.ts';
import {openExaminedBook} from '../../renter/instance/examined.ts';
import {examine, examinedAt, type Examination} from '../../renter/health/examine.ts';
import {serviceFile} from '../../renter/files/kept-file.ts';
import type {Whole} from '../../renter/health/finding.ts';
import {measureLine} from '../../renter/health/line-speed.ts';
import {findingLines, isLacking, examinationSummary} from '../../renter/health/report.ts';
import {UsageError} from '../../renter/text/usage-error.ts';
import type {Context} from '../base/command.ts';
import {exitCodeOfAll, exitCodes, type ExitCode} from '../base/failure.ts';
import {openFleetPolls, warnOfDoubtfulRows} from '../instances/fleet-polls.ts';
import {rowsNamed} from '../instances/names.ts';
import {instanceName} from '../instances/facts.ts';
import {withNulls} from '../base/output.ts';

/** Instances that are examined at the same time. */
const AT_ONCE = 16;

export async function examineAll(context: Context): Promise<number> {
	const {words, signal, textOf, output} = context;
	const from = textOf('from');
	if (from !== undefined && !/^https?:\/\/\S+$/i.test(from)) {
		throw new UsageError(`--from takes the address of a page, and not ${from}.`);
	}
	const polls = openFleetPolls(context);
	const state = await polls.poll(words);
	warnOfDoubtfulRows(context, state, polls.doubts());
	const instances = rowsNamed(state, words).map(({instance}) => instance);
	if (context.service().url === undefined) {
		output.say(
			'An instance of the practice market is a folder of this machine, and its order is made up.',
		);
	}
	const book = openExaminedBook(
		serviceFile(context.folders.state, 'health', context.service(), 'jsonl'),
	);
	const examineOne = await openExamining(context, {instances, from});
	const codes: ExitCode[] = [];
	const queue = instances.values();
	async function work(): Promise<void> {
		for (const instance of queue) {
			// oxlint-disable-next-line no-await-in-loop -- a worker examines one after the other
			const examination = await examineOne(instance);
			signal.throwIfAborted();
			show(context, instance, examination);
			await book.note(instance.id, examinedAt(context.now(), examination));
			codes.push(codeOf(examination));
		}
	}
	await Promise.all(Array.from({length: Math.min(AT_ONCE, instances.length)}, work));
	return exitCodeOfAll(codes);
}

type Asked = {readonly instances: readonly Instance[]; readonly from: string | undefined};

async function openExamining(context: Context, {instances, from}: Asked) {
	const client: Client = await context.client();
	const entering = {...context, client, name: context.service().name};
	const run = openInside(entering);
	const isMeasured = !context.isGiven('quick');
	const now = () => context.now() + client.clock.skewMs();
	// Several at once would share the line that is here.
	const [target] = instances.length === 1 ? await execTargetsOf(entering, instances) : [];
	const line = target && (async () => measureLine(target, context.signal));
	return async (instance: Instance): Promise<Examination> =>
		examine(instance, {run, isMeasured, from, now, measureLine: line});
}

function codeOf({whole, problem}: Examination): ExitCode {
	if (problem !== undefined) return exitCodes.failed;
	return isLacking(whole) ? exitCodes.notAsOrdered : exitCodes.fine;
}

function show(context: Context, instance: Instance, examination: Examination): void {
	const {output, isJson} = context;
	const {id} = instance;
	const {whole, findings, gpus, problem} = examination;
	if (isJson) {
		for (const {check, verdict, ordered, found, says} of findings) {
			output.json({id, check, verdict, ...withNulls({ordered, found}), says});
		}
		output.json({id, verdict: whole, gpus, problem: problem ?? null});
		return;
	}
	output.line(`${instanceName(instance)}  ${examinationSummary(examination)}`);
	const isPlain = output.isSpoken === true || context.settings.glyphs === 'ascii';
	for (const {head, says} of findingLines(examination, isPlain ? 'words' : 'signs')) {
		output.line(`  ${head}${says}`);
	}
	for (const line of advice(id, whole)) output.line(line);
}

/** Choices of a renter whose instance lacks what was paid for. */
function advice(id: number, whole: Whole): readonly string[] {
	if (!isLacking(whole)) return [];
	return [
		'  You can:',
		`    report it: this text has no secrets; rentty doctor ${id} --json is the same for programs`,
		`    end it: rentty destroy ${id}, which asks first`,
	];
}
