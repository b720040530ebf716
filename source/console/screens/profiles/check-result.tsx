import {Text} from 'ink';
import {ruleLine, spread} from '../../chrome.ts';
import {KeyScope} from '../../key-scope.tsx';
import {abilitiesOf} from '../../../renter/profiles/check.ts';
import {useServices} from '../../services.tsx';
import {fit, printable} from '../../../renter/text/text-width.ts';
import type {ScreenProps} from '../place.ts';
import {checkResultBindings} from './check-bindings.ts';
import type {Checked} from './use-keeping.ts';

type Props = Pick<ScreenProps, 'size'> & {
	readonly checked: Checked;
	readonly onUse: () => void;
	readonly onBack: () => void;
};

/** What a key was found to be able to do, before it is kept. */
export function CheckResult({checked: {profile, check}, size: {columns}, onUse, onBack}: Props) {
	const {theme} = useServices();
	const abilities = abilitiesOf(check);
	const lacks = abilities.filter(({can}) => can === 'no');
	const drawn = [
		spread(columns, `Profiles > ${profile.name}`, 'the service answered'),
		ruleLine(theme, columns),
		'',
		theme.style('heading', ` ${fit('WHAT THE KEY CAN DO', 24)}HOW WE KNOW`),
		...abilities.map(({what, can, how}) =>
			fit(`  ${fit(what, 19)}${fit(can, 4)}${printable(how)}`, columns),
		),
		'',
		fit('  ? = not tried: no call says what a key may do before it is tried.', columns),
		lacks.length === 0
			? ''
			: fit(`  Without ${lacks.map(({what}) => what).join(', ')} the rest works.`, columns),
		'',
		fit('  Nothing is charged before you press y on a review.', columns),
	];
	return (
		<KeyScope
			isModal
			title="Checked key"
			bindings={checkResultBindings}
			target={{use: onUse, back: onBack}}
		>
			<Text wrap="truncate">{drawn.join('\n')}</Text>
		</KeyScope>
	);
}
