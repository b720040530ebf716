import {isKeyRefused} from '../../../client/key-refusal.ts';
import type {Unreadable} from '../../../contract/unreadable.ts';
import {Notice} from '../../components/notice.tsx';
import {sentence} from '../../../renter/format.ts';
import type {Size} from '../../terminal/terminal.ts';
import {unreadNotice} from '../../list/unreadable.ts';

type Props = {
	readonly error: Error | null;
	readonly isLoading: boolean;
	readonly words: string;
	readonly unreadable: Unreadable;
	readonly size: Size;
};

/** What stands where there are no templates to list: why, and one key. */
export function TemplatesNotice({error, isLoading, words, unreadable, size}: Props) {
	const room = {width: size.columns, height: size.rows};
	if (isLoading) return <Notice title="Searching templates" {...room} />;
	if (error !== null && isForbidden(error)) {
		const lines = ['You can still rent with an image, without a template.', 'R tries again.'];
		const title = 'This key may not read templates (needs user_read).';
		return <Notice title={title} lines={lines} {...room} />;
	}
	if (error !== null) {
		const lines = ['Nothing was changed, and nothing is charged for searching.', 'R tries again.'];
		return <Notice title={sentence(error.message)} lines={lines} {...room} />;
	}
	const unread = unreadNotice(unreadable, 'templates', room.height);
	if (unread !== undefined) return <Notice {...unread} {...room} />;
	if (words !== '') {
		const lines = [
			'Words without a field are looked for in names, images and descriptions.',
			'Esc shows all.',
		];
		return <Notice title={`No template matches '${words}'.`} lines={lines} {...room} />;
	}
	const lines = ['A template keeps an image, its settings and how it is started.', 'n makes one.'];
	return <Notice title="There are no templates yet." lines={lines} {...room} />;
}

/** Whether the service said that the key lacks the right. */
function isForbidden(error: Error): boolean {
	return 'status' in error && error.status === 403 && !isKeyRefused(error);
}
