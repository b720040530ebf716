/** Name of the service at the top of every screen: the open one, and its mode of access. */
import type {ServiceName} from '../ui/chrome.ts';
import type {Meaning} from '../ui/theme.ts';
import type {ProfileColour} from '../../renter/profiles/profile.ts';
import {targetName, type Target} from '../../renter/profiles/target.ts';

/** Colours by what they mean everywhere else, so that themes have a say. */
const meanings: Readonly<Record<ProfileColour, Meaning>> = {
	none: 'strong',
	green: 'good',
	yellow: 'warning',
	red: 'danger',
	cyan: 'practice',
};

/**
 * The name of what is open.
 *
 * @param hint how to get to one's own service, where there is none yet
 */
export function serviceName(target: Target, hint?: string): ServiceName {
	const name = targetName(target);
	switch (target.kind) {
		case 'practice':
			return {name, isPractice: true, hint};
		case 'given':
			return {name, isPractice: false};
		case 'profile': {
			const {mode, colour} = target.profile;
			const meaning = meanings[colour];
			return {name, isPractice: false, mode: mode === 'read-only' ? 'RO' : 'RW', meaning};
		}
	}
}
