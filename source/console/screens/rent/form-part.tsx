import {messageOf} from '../../../contract/rules/thrown.ts';
import {Box, Text} from 'ink';
import {useEffect, useState} from 'react';
import {ruleLine} from '../../ui/rules.ts';
import {changedFields, fieldValueOf, type FormField} from '../../ui/form-state.ts';
import {Form, FormLetters} from '../../ui/form.tsx';
import type {FormActions} from '../../ui/form-target.ts';
import {useStore} from '../../ui/painted.tsx';
import {sentence} from '../../../renter/text/format.ts';
import {KeyScope} from '../../ui/key-scope.tsx';
import {useServices} from '../../services/services.tsx';
import {editField} from '../edit-field.ts';
import type {ScreenProps} from '../../services/router.ts';
import {checkAccess} from '../../../renter/orders/access.ts';
import {rentFormBindings, type RentFormTarget} from './bindings.ts';
import {checksOf} from '../../../renter/orders/checks.ts';
import type {OrderCheck} from '../../../renter/orders/check.ts';
import {describeRent} from './describe.ts';
import {rentSpec, liveValues, followTemplate, asTemplate} from './rent-form.ts';
import {RentOverlayPart, type RentOverlay} from './overlays.tsx';
import {previewOf, type Preview} from '../../../renter/orders/preview.ts';
import {footLine, sideLines} from './preview-lines.ts';
import {goToTab, refreshOffer, review, showGone} from './reviewing.ts';
import {type Renting, titleLine} from './rent-state.ts';

type Props = Pick<ScreenProps, 'size' | 'say'> & {readonly renting: Renting};

/** Title, two rules, and a message. */
const LINES_AROUND = 4;
/** From this width on the preview stands beside the form. */
const WIDE = 120;

export function FormPart({renting, size, say}: Props) {
	const {fleet} = useServices();
	const [overlay, setOverlay] = useState<RentOverlay>();
	const {rent} = renting;
	const state = useStore(rent.form);
	const facts = useStore(rent.facts);
	const preview = previewOf(facts, liveValues(state));
	const checks = checksOf({facts, preview, burn: fleet.state.get().burn});
	useTemplateOf(renting);
	if (overlay !== undefined) {
		return (
			<RentOverlayPart
				{...{renting, overlay, preview, checks, size, say}}
				onClose={() => setOverlay(undefined)}
				onCopy={() => setOverlay({kind: 'copy'})}
			/>
		);
	}
	return (
		<FormLetters>
			<KeyScope title="Rent" bindings={rentFormBindings} target={formTarget(renting, setOverlay)}>
				<FormBody {...{renting, size, say, preview, checks}} onOverlay={setOverlay} />
			</KeyScope>
		</FormLetters>
	);
}

/** Reads the template that the form names, if it is not the known one: a change was undone. */
function useTemplateOf(renting: Renting): void {
	const {form, facts} = renting.rent;
	const wanted = useStore(form, state => fieldValueOf(state, 'template'));
	useEffect(() => {
		if ((facts.get().template?.hash_id ?? '') === wanted) return;
		followTemplate(renting).catch((error: unknown) => {
			const why = messageOf(error);
			renting.say({text: sentence(why), isError: true});
		});
		// oxlint-disable-next-line react-hooks/exhaustive-deps -- it is about what the form names
	}, [wanted]);
}

function formTarget(renting: Renting, show: (overlay: RentOverlay) => void): RentFormTarget {
	const {rent, say} = renting;
	/** Once the order is sent, an offer that is not found is the one that was rented. */
	const isUnsent = () => ['form', 'reading'].includes(rent.phase.get().kind);
	return {
		pickTemplate: () => show({kind: 'template'}),
		copy() {
			const {order} = previewOf(rent.facts.get(), rent.form.get().values);
			if (order !== undefined) show({kind: 'copy'});
			else say({text: 'There is no request before the form is right.', isError: false});
		},
		preview: () => show({kind: 'preview'}),
		refresh() {
			refreshOffer(renting).then(
				async priced =>
					priced === undefined && isUnsent() ? showGone(renting, undefined) : undefined,
				(error: Error) => say({text: sentence(error.message), isError: true}),
			);
		},
		goToTab: index => goToTab(renting, index, go => leave(renting, show, go)),
	};
}

/** Leaves the form, and asks first where typed text would be lost. */
function leave(
	{rent: {form}}: Renting,
	show: (overlay: RentOverlay) => void,
	go: () => void,
): void {
	const isDirty = changedFields(rentSpec(form.get().values), form.get()).length > 0;
	if (isDirty) show({kind: 'leave', go});
	else go();
}

type BodyProps = Props & {
	readonly preview: Preview;
	readonly checks: readonly OrderCheck[];
	readonly onOverlay: (overlay: RentOverlay) => void;
};

function FormBody({renting, size, say, preview, checks, onOverlay}: BodyProps) {
	const {theme} = useServices();
	const {form, facts} = renting.rent;
	const {columns, rows} = size;
	const isWide = columns >= WIDE;
	const width = isWide ? Math.floor(columns * 0.56) : columns;
	const height = rows - LINES_AROUND;
	const side = {theme, width: columns - width - 2};
	const shown = {facts: facts.get(), preview, checks};
	return (
		<Box flexDirection="column">
			<Text wrap="truncate">{titleLine(facts.get(), preview, columns)}</Text>
			<Text wrap="truncate">{ruleLine(theme, columns)}</Text>
			<Box height={height} flexShrink={0} overflow="hidden">
				<Box width={width} flexShrink={0} overflow="hidden">
					<Form
						title="Form"
						spec={rentSpec(preview.values)}
						form={form}
						describe={describeRent(facts.get(), preview)}
						theme={theme}
						width={width - 1}
						height={height}
						{...formActions({renting, size, say}, onOverlay)}
					/>
				</Box>
				{isWide && (
					<Box marginLeft={1} width={side.width} flexShrink={0} overflow="hidden">
						<Text wrap="truncate">{sideLines(shown, side, height).join('\n')}</Text>
					</Box>
				)}
			</Box>
			<Text wrap="truncate">{ruleLine(theme, columns)}</Text>
			<Text wrap="truncate">{footLine(shown, {theme, width: columns})}</Text>
		</Box>
	);
}

function formActions(
	{renting, say}: Props,
	onOverlay: (overlay: RentOverlay) => void,
): FormActions {
	const {rent, services, router} = renting;
	const away = () => leave(renting, onOverlay, () => void router.back());
	async function openEditor(field: FormField): Promise<void> {
		const spec = rentSpec(rent.form.get().values);
		const edit = {spec, form: rent.form, field, file: `${field.id}.sh`};
		const problem = await editField(services.terminal, edit);
		if (problem !== undefined) say({text: sentence(problem), isError: true});
	}
	/** Opens the list of SSH keys to register, if no registered one works from here. */
	function openKeys(): void {
		const facts = rent.facts.get();
		const access = checkAccess({facts, preview: previewOf(facts, rent.form.get().values)});
		if (access === undefined) say({text: 'Which keys there are is being asked.', isError: false});
		else if (access.level === 'ok') say({text: sentence(access.text), isError: false});
		else onOverlay({kind: 'key'});
	}
	return {
		onOpen(field) {
			if (field.kind === 'choice') onOverlay({kind: 'choice', field});
			else if (field.id === 'access') openKeys();
			else onOverlay({kind: field.id === 'env' ? 'env' : 'template'});
		},
		onEditor: field => void openEditor(field),
		onPress(button) {
			if (button === 'review') void review(renting);
			else if (button === 'save') saveAsTemplate(renting);
			else away();
		},
		onLeave: away,
	};
}

/** Opens the template editor with what the form says; the form stays as it is behind it. */
function saveAsTemplate({rent, router, say}: Renting): void {
	const {content, notes} = asTemplate(previewOf(rent.facts.get(), rent.form.get().values));
	router.go({name: 'template-edit', from: undefined, isCopy: false, content});
	if (notes.length > 0) say({text: `${notes.join('. ')}.`, isError: false});
}
