/** A long text of a form, edited in the user's own editor. */
import {goToField, refuse, setValue, valueOf} from '../components/form-state.ts';
import type {FormField, FormSpec, FormState} from '../components/form-state.ts';
import type {Services} from '../services.tsx';
import type {Store} from '../../renter/store.ts';
import {editOutside} from './external-editor.ts';

type Edit = {
	readonly spec: FormSpec;
	readonly form: Store<FormState>;
	readonly field: FormField;
	/** The name of the file, by whose end the editor knows what it is. */
	readonly file: string;
};

/** Lets the user edit a field of a form; answers what went wrong. */
export async function editField(
	outside: Pick<Services, 'aside' | 'environment'>,
	{spec, form, field: {id, label, problem}, file}: Edit,
): Promise<string | undefined> {
	const edited = await editOutside({...outside, text: valueOf(form.get(), id), file});
	if ('problem' in edited) return `${label} is as it was: ${edited.problem}`;
	const wrong = problem?.(edited.text);
	const next = setValue(goToField(spec, form.get(), id), id, edited.text);
	form.set(wrong === undefined ? next : refuse(next, id, wrong));
	return wrong === undefined ? undefined : `${label}: ${wrong}`;
}
