/** `rentty doctor`: looks at all that rentty needs, and says what to do about what is wrong. */
import {sentence} from '../renter/text/format.ts';
import type {Command, Context} from './command.ts';
import {refuseWords} from './command-line.ts';
import {checkMachine} from './doctor-machine.ts';
import {checkService, type Finding} from './doctor-service.ts';
import {exitCodes} from './failure.ts';
import {accessSync, constants, existsSync, statSync} from 'node:fs';
import {dirname, join} from 'node:path';

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

async function checkFiles(context: Context): Promise<readonly Finding[]> {
	const {folders} = context;
	return [
		checkSettings(context),
		...checkKeyFile(context),
		checkFolder('data', folders.data),
		checkFolder('state', folders.state),
		...checkSecrets(join(folders.settings, 'profiles.json')),
		...checkSecrets(join(folders.data, 'practice', 'key')),
	];
}

function checkSettings({settingsProblem, folders}: Context): Finding {
	const about = 'settings';
	const file = join(folders.settings, 'settings.json');
	if (settingsProblem !== undefined) {
		return {about, verdict: 'wrong', says: settingsProblem, advice: 'Mend that line'};
	}
	const says = existsSync(file) ? file : `the usual ones: there is no ${file}`;
	return {about, verdict: 'ok', says};
}

function checkKeyFile({service}: Context): readonly Finding[] {
	try {
		const {keyFile} = service();
		return keyFile === undefined ? [] : checkSecrets(keyFile);
	} catch {
		// Trouble of the service is told by its own check.
		return [];
	}
}

/** A file that nobody else may read. */
function checkSecrets(file: string): readonly Finding[] {
	const mode = statSync(file, {throwIfNoEntry: false})?.mode;
	if (mode === undefined) return [];
	const says = `${file} can be read by its owner alone`;
	if ((mode & 0o077) === 0) return [{about: 'secret', verdict: 'ok', says}];
	return [
		{
			about: 'secret',
			verdict: 'wrong',
			says: `others can read ${file}`,
			advice: `chmod 600 ${file}`,
		},
	];
}

function checkFolder(about: string, folder: string): Finding {
	const mode = statSync(folder, {throwIfNoEntry: false})?.mode;
	const there = nearestFolder(folder);
	try {
		accessSync(there, constants.R_OK | constants.W_OK | constants.X_OK);
	} catch {
		const advice = `Make ${there} writable, or name another folder: XDG_DATA_HOME, XDG_STATE_HOME`;
		return {about, verdict: 'wrong', says: `${folder} cannot be written`, advice};
	}
	if (mode === undefined)
		return {about, verdict: 'ok', says: `${folder} is made when it is needed`};
	if ((mode & 0o022) === 0) return {about, verdict: 'ok', says: folder};
	return {
		about,
		verdict: 'wrong',
		says: `others can write to ${folder}`,
		advice: `chmod 700 ${folder}`,
	};
}

/** A folder, or what is there of those above it. */
function nearestFolder(folder: string): string {
	return existsSync(folder) || folder === '/' ? folder : nearestFolder(dirname(folder));
}

/** Says of all that rentty has written where it is, and what it is for. */
function listFiles({folders, output, isJson}: Context): number {
	const {settings, data, state, cache} = folders;
	const places = [
		[settings, 'settings, profiles with their keys, alerts, budgets'],
		[join(data, 'practice'), 'the practice market, with what was rented there'],
		[join(data, 'host'), 'what others rented on this machine'],
		[
			state,
			'the journal of changes, rents under way, keys of instances, known hosts, what was typed',
		],
		[cache, 'what can be made again'],
		[join(dirname(settings), 'systemd', 'user', 'rentty-guard.service'), 'what starts the guard'],
	] as const;
	for (const [place, about] of places.filter(([file]) => existsSync(file))) {
		if (isJson) output.json({place, about});
		else output.line(place, about);
	}
	return exitCodes.fine;
}
