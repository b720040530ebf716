/** `rentty alerts`: where alerts go, and a test of it. */
import {randomUUID} from 'node:crypto';
import {join} from 'node:path';
import {readUserFile, UsageError} from '../renter/text/usage-error.ts';
import type {Command, Context} from './base/command.ts';
import {CommandError, exitCodes} from './base/failure.ts';
import {readAlertSettings} from '../renter/alerts/alert-settings.ts';
import {createDelivery} from '../renter/alerts/delivery.ts';

export const alerts: Command = {
	name: 'alerts',
	summary: 'send a test by every way that alerts leave the terminal',
	takes: 'test',
	about: [
		'Alerts of the console and of the guard, one for each event, leave the terminal as alerts.json',
		'beside the settings says: "program" gets JSON on its standard input, "ntfy" is a topic, "webhook"',
		'has "url" and "secretFile" and is signed by HMAC-SHA256, "desktop" is notify-send, "terminal" is',
		'osc9 or osc777; "mute" names kinds, and "quietHours" are two hours in which only what costs or',
		'failed is sent. On the practice market only its guard sends any. A in the console lists all alerts.',
	],
	options: {},
	async run(context) {
		const {words, output, isJson, now, folders} = context;
		if (words.join(' ') !== 'test') throw new UsageError('rentty alerts takes test.');
		const delivered = await openDelivery(context, {mostTries: 1}).deliver({
			id: randomUUID(),
			kind: 'test',
			at: new Date(now()).toISOString(),
			title: 'rentty test',
			text: 'This is how an alert arrives.',
			profile: undefined,
			instance: undefined,
		});
		for (const {route, problem} of delivered) {
			if (isJson) output.json({route, problem: problem ?? null});
			else output.line(`${route} ${problem ?? 'sent'}`);
		}
		if (delivered.length === 0) {
			const file = join(folders.settings, 'alerts.json');
			throw new CommandError(exitCodes.notFound, `No way is set: ${file} names them.`);
		}
		const isBroken = delivered.some(({problem}) => problem !== undefined);
		return isBroken ? exitCodes.failed : exitCodes.fine;
	},
};

/** @throws UsageError if the file cannot be followed */
export function openDelivery(
	context: Context,
	{mostTries}: {readonly mostTries?: number} = {},
): ReturnType<typeof createDelivery> {
	const {output, signal, now, isJson, folders, environment} = context;
	return createDelivery({
		environment,
		settings: readUserFile(join(folders.settings, 'alerts.json'), readAlertSettings),
		signal,
		now,
		...(mostTries !== undefined && {mostTries}),
		// JSON output is for programs: a notification of the terminal would break it.
		write: isJson ? undefined : output.notify,
		onTrouble: (route, why) => output.say(`rentty: An alert was not sent by ${route}: ${why}.`),
	});
}
