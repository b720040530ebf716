import type {BindingSet} from '../ui/bindings.ts';
import {
	choiceBindings,
	choosingDialogBindings,
	dialogBindings,
	typedChoosingDialogBindings,
	typedDialogBindings,
	wholeTextBindings,
	secretBindings,
	secretFileBindings,
} from '../ui/dialog-bindings.ts';
import {healthBindings} from './instances/health/health.ts';
import {learningBindings, runChooserBindings} from './instances/learning/learning-bindings.ts';
import {numbersBindings} from '../ui/number-table.ts';
import {usageBindings} from './instances/usage/usage-bindings.ts';
import {
	changedFormBindings,
	fieldBindings,
	promptBindings,
	recallingPromptBindings,
} from '../ui/form-bindings.ts';
import {filterBindings, chooserBindings} from '../list/bindings.ts';
import {queryLineBindings} from '../list/query-edit.ts';
import {entryBindings} from '../list/saved-list.ts';
import {activityBindings, activityEntryBindings, undoBindings} from './activity/activity.ts';
import {alertBindings, increaseBindings} from './alerts/alerts.ts';
import {instanceBindings, instanceListBindings, valueBindings} from './instances/bindings.ts';
import {findBindings, logBindings, narrowBindings} from './instances/logs/log-bindings.ts';
import {commandBindings} from './instances/action-bindings.ts';
import {zoomedBindings} from './instances/pane-bindings.ts';
import {viewsBindings} from './instances/views-bindings.ts';
import {offerListBindings, offerBindings} from './offers/bindings.ts';
import {compareBindings, jobBindings} from './offers/compare-bindings.ts';
import {priceBindings} from './offers/prices-bindings.ts';
import {savedBindings} from './offers/saved/saved.ts';
import {querySets} from './offers/query/bindings.ts';
import {overviewBindings} from './overview/bindings.ts';
import {accountBindings} from './account/bindings.ts';
import {machineListBindings} from './machines/machines.ts';
import {volumeSpaceBindings, volumeListBindings} from './volumes/volumes.ts';
import {keyListBindings, formScopeBindings} from './keys/bindings.ts';
import {
	profileEditBindings,
	profileListBindings,
	checkResultBindings,
} from './profiles/profiles.ts';
import {
	goneBindings,
	openingBindings as rentOpeningBindings,
	previewBindings,
	readingBindings,
	refusedBindings,
	rentFormBindings,
	sendingBindings,
	unknownBindings,
} from './rent/bindings.ts';
import {
	pickerBindings,
	templateBindings,
	templateEditBindings,
	templateListBindings,
	filterLineBindings,
	templateTableBindings,
	envBindings,
	envEntryBindings,
} from './templates/bindings.ts';

export const screenBindings: readonly BindingSet[] = [
	{id: 'overview', title: 'Overview', bindings: overviewBindings},
	{id: 'offers', title: 'Offers', bindings: offerListBindings},
	...querySets,
	{id: 'text', title: 'Text', bindings: wholeTextBindings},
	{id: 'key-shown-once', title: 'Key shown once', bindings: secretBindings},
	{id: 'file-for-a-key', title: 'File for a key', bindings: secretFileBindings},
	{id: 'saved', title: 'Saved', bindings: savedBindings},
	{id: 'saved-typing', title: 'Saved: typing', bindings: entryBindings},
	{id: 'offer', title: 'Offer', bindings: offerBindings},
	{id: 'columns', title: 'Columns', bindings: chooserBindings},
	{id: 'prices', title: 'Prices', bindings: priceBindings},
	{id: 'compare', title: 'Compare', bindings: compareBindings},
	{id: 'job', title: 'Job', bindings: jobBindings},
	{id: 'rent', title: 'Rent', bindings: rentFormBindings},
	{id: 'rent-nothing-to-rent', title: 'Rent: nothing to rent', bindings: rentOpeningBindings},
	{id: 'rent-preview', title: 'Rent: preview', bindings: previewBindings},
	{id: 'rent-reading', title: 'Rent: reading', bindings: readingBindings},
	{id: 'rent-sending', title: 'Rent: sending', bindings: sendingBindings},
	{id: 'rent-the-offer-is-gone', title: 'Rent: the offer is gone', bindings: goneBindings},
	{id: 'rent-refused', title: 'Rent: refused', bindings: refusedBindings},
	{id: 'rent-not-known', title: 'Rent: not known', bindings: unknownBindings},
	{id: 'instances', title: 'Instances', bindings: instanceListBindings},
	{id: 'filter-of-instances', title: 'Filter of instances', bindings: queryLineBindings},
	{id: 'values-of-instances', title: 'Values of instances', bindings: valueBindings},
	{id: 'views', title: 'Views', bindings: viewsBindings},
	{id: 'pane-of-instances', title: 'Pane of instances', bindings: zoomedBindings},
	{id: 'instance', title: 'Instance', bindings: instanceBindings},
	{id: 'run', title: 'Run', bindings: learningBindings},
	{id: 'runs', title: 'Runs', bindings: runChooserBindings},
	{id: 'numbers', title: 'Numbers', bindings: numbersBindings},
	{id: 'usage', title: 'Usage', bindings: usageBindings},
	{id: 'logs', title: 'Logs', bindings: logBindings},
	{id: 'search-of-logs', title: 'Search of logs', bindings: findBindings},
	{id: 'filter-of-logs', title: 'Filter of logs', bindings: narrowBindings},
	{id: 'command-line', title: 'Command line', bindings: recallingPromptBindings},
	{id: 'health', title: 'Health', bindings: healthBindings},
	{id: 'command', title: 'Command', bindings: commandBindings},
	{id: 'input', title: 'Input', bindings: promptBindings},
	{id: 'activity', title: 'Activity', bindings: activityBindings},
	{id: 'filter-of-activity', title: 'Filter of activity', bindings: filterBindings},
	{id: 'entry-of-activity', title: 'Entry of activity', bindings: activityEntryBindings},
	{id: 'templates', title: 'Templates', bindings: templateListBindings},
	{id: 'list-of-templates', title: 'List of templates', bindings: templateTableBindings},
	{id: 'filter-of-templates', title: 'Filter of templates', bindings: filterLineBindings},
	{id: 'template', title: 'Template', bindings: templateBindings},
	{id: 'template-editor', title: 'Template editor', bindings: templateEditBindings},
	{id: 'environment', title: 'Environment', bindings: envBindings},
	{id: 'entry-of-an-environment', title: 'Entry of an environment', bindings: envEntryBindings},
	{id: 'keys', title: 'Keys', bindings: keyListBindings},
	{id: 'new-api-key', title: 'New API key', bindings: formScopeBindings},
	{id: 'undo', title: 'Undo', bindings: undoBindings},
	{id: 'account', title: 'Account', bindings: accountBindings},
	{id: 'alerts', title: 'Alerts', bindings: alertBindings},
	{id: 'price-rises', title: 'Price increases', bindings: increaseBindings},
	{id: 'machines', title: 'Machines', bindings: machineListBindings},
	{id: 'volumes', title: 'Volumes', bindings: volumeListBindings},
	{id: 'room-for-a-volume', title: 'Room for a volume', bindings: volumeSpaceBindings},
	{id: 'profiles', title: 'Profiles', bindings: profileListBindings},
	{id: 'profile-editor', title: 'Profile editor', bindings: profileEditBindings},
	{id: 'checked-key', title: 'Checked key', bindings: checkResultBindings},
	{id: 'choice', title: 'Choice', bindings: choiceBindings},
	{id: 'pick-a-template', title: 'Pick a template', bindings: pickerBindings},
	{id: 'form', title: 'Form', bindings: changedFormBindings},
	{id: 'field-of-a-form', title: 'Field of a form', bindings: fieldBindings},
	{id: 'question', title: 'Question', bindings: dialogBindings},
	{
		id: 'question-answered-by-typing',
		title: 'Question answered by typing',
		bindings: typedDialogBindings,
	},
	{
		id: 'question-of-which-some-can-be-left-out',
		title: 'Question of which some can be left out',
		bindings: choosingDialogBindings,
	},
	{
		id: 'the-same-answered-by-typing',
		title: 'The same, answered by typing',
		bindings: typedChoosingDialogBindings,
	},
];
