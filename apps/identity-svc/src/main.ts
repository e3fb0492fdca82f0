import { runService } from '@canvass/service-kit';
import { service } from './service';

void runService(service);
