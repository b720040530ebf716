import {mkdirSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {openClient} from '../../../source/client/client.ts';
import {createProfileSwitcher} from '../../../source/console/services/profile-switcher.ts';
import {openProfileBook} from '../../../source/renter/profiles/profile-file.ts';
import {readProfile} from '../../../source/renter/profiles/profile.ts';
import type {Target} from '../../../source/renter/profiles/target.ts';
import {openFolder} from '../folder.ts';

/** A user's home with profiles, the first of which is open. */
export function openProfiles(
	profiles: (home: string) => ReadonlyArray<Readonly<Record<string, unknown>>>,
	now: () => number = Date.now,
) {
	// Frames show it, of one length on every machine.
	const folder = openFolder('/tmp');
	const settings = join(folder.path, 'settings');
	const list = profiles(folder.path);
	const write = (file: string, text: string) => {
		const path = join(folder.path, file);
		mkdirSync(dirname(path), {recursive: true});
		writeFileSync(path, text, {mode: 0o600});
		return path;
	};
	write('settings/profiles.json', JSON.stringify({profiles: list}));
	const book = openProfileBook({settings, state: join(folder.path, 'state')});
	const [first] = list.map(readProfile);
	if (first === undefined || typeof first === 'string') throw new Error(`no profile: ${first}`);
	const opened: Target[] = [];
	const switcher = createProfileSwitcher({
		target: {kind: 'profile', profile: first},
		book,
		practiceFolder: '/home/of/user/practice',
		environment: {},
		connect: async (url, key) => openClient({url, key, paceScale: 0, repeats: 0}),
		open: target => void opened.push(target),
		now,
	});
	return {
		home: folder.path,
		write,
		book,
		switcher,
		/** What was opened anew since. */
		opened: () => opened,
		[Symbol.dispose]: folder[Symbol.dispose],
	};
}
