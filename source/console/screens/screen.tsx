import {AccountScreen} from './account/account-screen.tsx';
import {ActivityScreen} from './activity/activity-screen.tsx';
import {AlertsScreen, IncreasesScreen} from './alerts/alerts-screen.tsx';
import {HealthScreen} from './instances/health/health-screen.tsx';
import {InstanceScreen} from './instances/instance-screen.tsx';
import {InstancesScreen} from './instances/instances-screen.tsx';
import {LogsScreen} from './instances/logs/logs-screen.tsx';
import {CommandScreen, OutputScreen} from './instances/run/command-screen.tsx';
import {CompareScreen} from './offers/compare-screen.tsx';
import {OfferScreen} from './offers/offer-screen.tsx';
import {OffersScreen} from './offers/offers-screen.tsx';
import {OverviewScreen} from './overview/overview-screen.tsx';
import {PricesScreen} from './offers/prices-screen.tsx';
import type {ScreenProps} from '../services/router.ts';
import {UndoScreen} from './activity/undo-screen.tsx';
import {VolumesScreen} from './volumes/volumes-screen.tsx';
import {MachinesScreen} from './machines/machines-screen.tsx';
import {KeysScreen} from './keys/keys-screen.tsx';
import {ProfileEditScreen} from './profiles/profile-edit-screen.tsx';
import {ProfilesScreen} from './profiles/profiles-screen.tsx';
import {RentScreen} from './rent/rent-screen.tsx';
import {TemplateEditScreen} from './templates/template-edit-screen.tsx';
import {TemplateScreen, TemplatesScreen} from './templates/templates-screen.tsx';

// oxlint-disable-next-line complexity -- one case for each destination is not hard to follow
export function Screen(props: ScreenProps) {
	const {destination} = props.stackEntry;
	switch (destination.name) {
		case 'overview':
			return <OverviewScreen {...props} />;
		case 'offers':
			return <OffersScreen {...props} />;
		case 'offer':
			return <OfferScreen {...props} id={destination.id} />;
		case 'compare':
			return <CompareScreen {...props} ids={destination.ids} />;
		case 'prices':
			return <PricesScreen {...props} />;
		case 'activity':
			return <ActivityScreen {...props} />;
		case 'rent':
			return <RentScreen {...props} destination={destination} />;
		case 'instances':
			return <InstancesScreen {...props} />;
		case 'instance':
			return <InstanceScreen {...props} id={destination.id} wanted={destination.page} />;
		case 'logs':
			return <LogsScreen {...props} ids={destination.ids} />;
		case 'health':
			return <HealthScreen {...props} ids={destination.ids} />;
		case 'command':
			return <CommandScreen {...props} ids={destination.ids} />;
		case 'output':
			return <OutputScreen {...props} id={destination.id} />;
		case 'templates':
			return <TemplatesScreen {...props} />;
		case 'template':
			return <TemplateScreen {...props} id={destination.id} />;
		case 'undo':
			return <UndoScreen {...props} />;
		case 'account':
			return <AccountScreen {...props} />;
		case 'alerts':
			return <AlertsScreen {...props} />;
		case 'volumes':
			return <VolumesScreen {...props} />;
		case 'increases':
			return <IncreasesScreen {...props} />;
		case 'machines':
			return <MachinesScreen {...props} />;
		case 'keys':
			return <KeysScreen {...props} />;
		case 'profiles':
			return <ProfilesScreen {...props} />;
		case 'profile-edit':
			return <ProfileEditScreen {...props} profile={destination.profile} />;
		case 'template-edit':
			return <TemplateEditScreen {...props} destination={destination} />;
	}
}
