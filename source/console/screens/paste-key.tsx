import {messageOf} from '../../contract/thrown.ts';
import {parsePublicKey} from '../../contract/public-key.ts';
import type {ScreenProps} from '../router.ts';
import {Prompt} from './prompt.tsx';

type Props = Pick<ScreenProps, 'size'> & {
	readonly onSend: (text: string) => Promise<void>;
	readonly onClose: () => void;
};

/** Asks for the public half of an SSH key. */
export function PasteKey({size, onSend, onClose}: Props) {
	return (
		<Prompt
			title="Register an SSH key"
			name="public key"
			initial=""
			lines={[
				'Paste the line of a .pub file. A private key is refused here, and is sent nowhere.',
				'It reaches instances that are rented from now on.',
			]}
			size={size}
			refuse={problemOf}
			onSend={text => void onSend(text)}
			onClose={onClose}
		/>
	);
}

function problemOf(text: string): string | undefined {
	try {
		parsePublicKey(text);
		return undefined;
	} catch (error) {
		return messageOf(error);
	}
}
