/** The key in use and its abilities, above the list of keys. */
import {abilitiesOf, type Ability, type ProfileCheck} from '../../../renter/profiles/check.ts';
import {describeSource} from '../../../renter/profiles/profile.ts';
import {targetName, type Target} from '../../../renter/profiles/target.ts';
import {timeOfDay} from '../../../renter/text/format.ts';
import {fit, printable, widthOf} from '../../../renter/text/text-width.ts';
import {spread} from '../../ui/chrome.ts';
import type {Meaning, Theme} from '../../ui/theme.ts';

export type KeyInUse = {
	readonly target: Target;
	readonly keyEnd: string | undefined;
	readonly check: ProfileCheck | undefined;
};

export function inUseLines(
	{target, keyEnd, check}: KeyInUse,
	theme: Theme,
	columns: number,
): readonly string[] {
	const end = keyEnd === undefined || keyEnd === '' ? '' : `..${keyEnd} `;
	const from = target.kind === 'profile' ? `from ${describeSource(target.profile.key)}` : '';
	const at = check === undefined ? 'checking' : `checked ${timeOfDay(new Date(check.at))}`;
	const abilities = check === undefined ? [] : abilitiesOf(check);
	const line = (some: readonly Ability[]) => {
		const plain = ` ${some.map(({what, can}) => `${what} ${can}`).join(' · ')}`;
		if (widthOf(plain) > columns) return fit(plain, columns);
		const parts = some.map(({what, can}) => `${what} ${theme.style(meaningOfAbility[can], can)}`);
		return ` ${parts.join(theme.style('quiet', ' · '))}`;
	};
	const isUntried = abilities.some(({can}) => can === '?');
	const title = `API KEY IN USE  ${targetName(target)}  ${end}${from}`;
	return [
		theme.style('heading', spread(columns, printable(title), at)),
		line(abilities.filter(({isRead}) => isRead)),
		line(abilities.filter(({isRead}) => !isRead)),
		theme.style(
			'quiet',
			fit(
				` ${isUntried ? '? is known once it is tried. ' : ''}Keys are shown by their last four characters.`,
				columns,
			),
		),
	];
}

const meaningOfAbility: Readonly<Record<Ability['can'], Meaning>> = {
	yes: 'good',
	no: 'danger',
	'?': 'quiet',
};
