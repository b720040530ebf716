import {Text} from 'ink';
import {ruleLine} from '../../chrome.ts';
import {wrapText} from '../../components/wrap.ts';
import {KeyScope} from '../../key-scope.tsx';
import {useServices} from '../../services.tsx';
import {printable} from '../../terminal/output/text-width.ts';
import type {ScreenProps} from '../place.ts';
import {keyValueBindings} from './bindings.ts';

type Props = Pick<ScreenProps, 'size'> & {
	readonly name: string;
	readonly value: string;
	/** The console itself uses the key. */
	readonly isInUse: boolean;
	readonly onClose: () => void;
};

/** Shows the value of a new key: the only time that it is ever drawn. */
export function KeyValue({name, value, isInUse, size: {columns}, onClose}: Props) {
	const {theme, copy, desk} = useServices();
	const {target} = desk;
	const own = isInUse && target.kind === 'profile' ? target.profile : undefined;
	const isKept = own?.key.kind === 'file' && desk.book.isOwnKey(own.key.file);
	function close(): void {
		onClose();
		if (own === undefined || !isKept) return;
		desk.book.keepKey(own.name, value);
		desk.open(target);
	}
	const said = isKept
		? 'It is the key of this profile: rentty keeps it when you leave this screen.'
		: 'It is shown this once, and kept nowhere: copy it to where it will be used.';
	const drawn = [
		theme.style('heading', ` API KEY ${printable(name)}`),
		ruleLine(theme, columns),
		'',
		// By itself on its line, so that it can be selected.
		...wrapText(printable(value), columns - 1),
		'',
		...wrapText(said, columns - 2).map(line => ` ${line}`),
		...(isInUse && !isKept
			? [' rentty uses it too: until it has the new value, every call is refused.']
			: []),
	];
	return (
		<KeyScope
			isModal
			title="New key"
			bindings={keyValueBindings}
			target={{copy: () => copy(value), close}}
		>
			<Text wrap="truncate">{drawn.join('\n')}</Text>
		</KeyScope>
	);
}
