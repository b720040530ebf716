/** `rentty doctor`: looks at all that rentty needs, and says what to do about what is wrong. */
import {sentence} from '../renter/format.ts';
import type {Command, Context} from './command.ts';
import {refuseWords} from './command-line.ts';
import {checkFiles, listFiles} from './doctor-files.ts';
import {checkMachine} from './doctor-machine.ts';
import {checkService} from './doctor-service.ts';
import {exitCodes} from './failure.ts';

export const doctor: Command = {
	name: 'doctor',
	summary: 'look at service, key, clock, terminal, SSH and files',
	takes: '',
	about: [
		'Looks at all that rentty needs, and says what to do about what is wrong. It changes nothing, and',
		'asks the service for things that harm nobody: an offer, the instances, the templates.',
	],
	options: {
		files: {about: 'list what rentty keeps for you, which stays where rentty is removed'},
	},
	run,
};

async function run(context: Context): Promise<number> {
	refuseWords('doctor', context);
	const {output, isJson, isGiven} = context;
	if (isGiven('files')) return listFiles(context);
	const checks = [checkMachine(context), checkFiles(context), checkService(context)];
	const findings = (await Promise.all(checks)).flat();
	for (const {about, verdict, says, advice} of findings) {
		if (isJson) output.json({about, verdict, says, advice: advice ?? null});
		else {
			output.line(`${verdict.padEnd(5)} ${about.padEnd(10)} ${sentence(says)}`);
			if (advice !== undefined) output.line(`${' '.repeat(17)}${sentence(advice)}`);
		}
	}
	const wrong = findings.filter(({verdict}) => verdict === 'wrong');
	const [first] = wrong;
	return first === undefined ? exitCodes.fine : (first.exitCode ?? exitCodes.failed);
}
